package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnConvert;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.handling.declaration.ActivityDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.progress.ResultTypes;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.SubHandlerMethod;
import dev.kopf4j.engine.injection.ActivityArguments;
import dev.kopf4j.engine.injection.ActivityMethodInvoker;
import dev.kopf4j.engine.injection.DeclarationMistakes;
import dev.kopf4j.engine.injection.HandlerArguments;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.MethodInvoker;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The handlers of one annotated class. Used once. */
final class AnnotatedClass {
    private final HandlerInstance instance;
    private final InjectableTypes injectableTypes;

    /**
     * The handlers of an instance, or of a class.
     *
     * @param injectableTypes what parameters can be given besides what all handlers have
     */
    AnnotatedClass(Object beanOrClass, InjectableTypes injectableTypes) {
        this.instance = new HandlerInstance(beanOrClass);
        this.injectableTypes = injectableTypes;
    }

    /** The handlers in the order of the source; none if nothing is annotated. */
    List<RegisteredHandler> handlers() {
        Map<String, SubHandlerMethod> subHandlers = new SubHandlerMethods(instance, injectableTypes).read();
        return DeclarationMistakes.collect(HandlerMethods.of(instance.type()), method -> handlers(method, subHandlers))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<RegisteredHandler> handlers(Method method, Map<String, SubHandlerMethod> subHandlers) {
        List<RegisteredHandler> handlers = new ArrayList<>();
        for (Annotation annotation : HandlerAnnotations.of(method, HandlerAnnotations.KINDS)) {
            HandlerKind kind = Objects.requireNonNull(HandlerAnnotations.KINDS.get(annotation.annotationType()));
            handlers.add(handler(method, kind, new AnnotationAttributes(annotation), subHandlers));
        }
        return handlers;
    }

    private RegisteredHandler handler(
            Method method,
            HandlerKind kind,
            AnnotationAttributes attributes,
            Map<String, SubHandlerMethod> subHandlers) {
        HandlerArguments arguments = new HandlerArguments(
                kind, attributes.reading(method, () -> ParamAttributes.read(attributes, instance)), injectableTypes);
        HandlerDeclaration declaration = attributes.reading(
                method,
                () -> new HandlerAnnotationReader(attributes, arguments, new NamedMethods(instance, arguments), method)
                        .read());
        refuseIndexOfNothing(kind, method);
        refuseWhatIsNoResult(kind, method);
        String id = declaration.id() == null ? defaultId(kind, method) : declaration.id();
        return new RegisteredHandler(
                declaration,
                RegisteredHandler.fullId(id, declaration),
                List.of(instance.type(), method),
                MethodInvoker.of(instance.of(method), method, arguments),
                subHandlers);
    }

    /** Parameters name indices: their ids are names of Java. */
    private String defaultId(HandlerKind kind, Method method) {
        return kind == HandlerKind.INDEX ? method.getName() : HandlerIdRule.id(instance.type(), method.getName());
    }

    private static void refuseIndexOfNothing(HandlerKind kind, Method method) {
        if (kind == HandlerKind.INDEX
                && (method.getReturnType() == void.class || method.getReturnType() == Void.class)) {
            throw new HandlerDeclarationException("@OnIndex on " + HandlerMethods.describe(method)
                    + " returns nothing, so that nothing could ever be in the index; return a map of keys to values, or a"
                    + " value");
        }
    }

    private static void refuseWhatIsNoResult(HandlerKind kind, Method method) {
        ResultTypes.problem(method.getReturnType()).ifPresent(problem -> {
            throw new HandlerDeclarationException(HandlerMethods.describe(method) + " returns " + problem
                    + "; return data, or nothing"
                    + (kind == HandlerKind.DAEMON ? "" : "; what runs beside an object is a daemon (@OnDaemon)"));
        });
    }

    /** The handlers of activities in the order of the source; none if nothing is annotated. */
    List<RegisteredActivity> activities() {
        List<RegisteredActivity> handlers = new ArrayList<>();
        for (Method method : HandlerMethods.of(instance.type())) {
            for (Annotation annotation : HandlerAnnotations.of(method, HandlerAnnotations.ACTIVITIES)) {
                Activity activity =
                        Objects.requireNonNull(HandlerAnnotations.ACTIVITIES.get(annotation.annotationType()));
                handlers.add(activity(method, activity, new AnnotationAttributes(annotation)));
            }
        }
        return handlers;
    }

    /** The conversions in the order of the source; none if nothing is annotated. */
    List<ConversionFunction> conversions() {
        List<ConversionFunction> functions = new ArrayList<>();
        for (Method method : HandlerMethods.of(instance.type())) {
            for (OnConvert annotation : method.getAnnotationsByType(OnConvert.class)) {
                functions.add(new ConversionMethod(method, annotation).of(instance));
            }
        }
        return functions;
    }

    private RegisteredActivity activity(Method method, Activity activity, AnnotationAttributes attributes) {
        ActivityDeclaration declaration = attributes.reading(
                method,
                () -> new ActivityDeclaration(
                        activity, attributes.id(), ParamAttributes.read(attributes, instance), attributes.retry()));
        String id = declaration.id() == null ? HandlerIdRule.id(instance.type(), method.getName()) : declaration.id();
        ActivityArguments arguments = new ActivityArguments(activity, declaration.param(), injectableTypes);
        return new RegisteredActivity(
                declaration, id, ActivityMethodInvoker.of(instance.of(method), method, arguments));
    }
}
