package dev.kopf4j.testing.environment;

import dev.kopf4j.OnCreate;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which types an operator's handlers are about, however they were registered. Pure. */
public final class HandlerTypes {
    private HandlerTypes() {}

    /** The definitions of all of them: of the classes with handlers, and of the types that functions name. */
    public static List<String> definitions(OperatorPlan plan) {
        Class<?>[] types = plan.registrations().stream()
                .flatMap(HandlerTypes::in)
                .distinct()
                .toArray(Class<?>[]::new);
        List<String> definitions = new ArrayList<>(ModelDefinitions.of(types));
        definitions.addAll(TypeDefinitions.of(types));
        return definitions;
    }

    private static Stream<Class<?>> in(Registration registration) {
        return switch (registration) {
            case Registration.Annotated(Object bean) -> Stream.of(HandlerMethods.written(bean));
            case Registration.Functional(var declaration, var _) -> declaration.selector().model().stream();
            case Registration.Active _, Registration.Converting _, Registration.Entitled _ -> Stream.empty();
        };
    }

    /** The type itself, and what its methods take, or name as their resource, those that it inherits, too. */
    static Stream<Class<?>> of(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                HandlerMethods.of(type).stream()
                        .flatMap(method -> Stream.concat(
                                HandlerMethods.classesOf(type, method),
                                Arrays.stream(method.getAnnotations())
                                        .filter(HandlerTypes::isOfHandlers)
                                        .flatMap(HandlerTypes::models))));
    }

    private static boolean isOfHandlers(Annotation annotation) {
        return annotation.annotationType().getPackage() == OnCreate.class.getPackage();
    }

    /** What an annotation of a handler, or each of several on one method, names as {@code model}. */
    private static Stream<Class<?>> models(Annotation annotation) {
        return switch (value(annotation, "model")) {
            case Class<?> model when model != void.class -> Stream.of(model);
            case null ->
                value(annotation, "value") instanceof Annotation[] several
                        ? Arrays.stream(several).flatMap(HandlerTypes::models)
                        : Stream.empty();
            default -> Stream.empty();
        };
    }

    private static @Nullable Object value(Annotation annotation, String attribute) {
        Method found = Arrays.stream(annotation.annotationType().getDeclaredMethods())
                .filter(method -> method.getName().equals(attribute))
                .findFirst()
                .orElse(null);
        try {
            return found == null ? null : found.invoke(annotation);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + attribute + " of " + annotation, e);
        }
    }
}
