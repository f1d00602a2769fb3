package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.SubHandler;
import dev.kopf4j.engine.handling.registry.SubHandlerMethod;
import dev.kopf4j.engine.injection.HandlerArguments;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.MethodInvoker;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the methods of a class that its handlers may declare as sub-handlers. Pure.
 *
 * @param instance whose methods they are
 * @param injectableTypes what parameters can be given besides what all handlers have
 */
record SubHandlerMethods(HandlerInstance instance, InjectableTypes injectableTypes) {
    /** By their names; none if nothing is annotated. */
    Map<String, SubHandlerMethod> read() {
        Map<String, SubHandlerMethod> methods = new LinkedHashMap<>();
        for (Method method : HandlerMethods.of(instance.type())) {
            SubHandler annotation = method.getAnnotation(SubHandler.class);
            if (annotation != null && methods.put(method.getName(), read(method, annotation)) != null) {
                throw new HandlerDeclarationException(
                        "two methods of " + instance.type().getSimpleName() + " with @SubHandler have the name "
                                + method.getName() + "; rename one of them");
            }
        }
        return Map.copyOf(methods);
    }

    private SubHandlerMethod read(Method method, SubHandler annotation) {
        AnnotationAttributes attributes = new AnnotationAttributes(annotation);
        // All handlers of changes, of which it may be a part, have the same parameters.
        HandlerArguments arguments = HandlerArguments.withParamOfCall(HandlerKind.UPDATE, injectableTypes);
        String id = attributes.id();
        return attributes.reading(
                method,
                () -> new SubHandlerMethod(
                        id == null ? HandlerIdRule.id(instance.type(), method.getName()) : id,
                        attributes.retry(),
                        new FilterAttributes(attributes, new NamedMethods(instance, arguments)).read(),
                        List.of(instance.type(), method),
                        MethodInvoker.of(instance.of(method), method, arguments)));
    }
}
