package dev.kopf4j.testing.environment;

import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
            case Registration.Annotated(Object bean) ->
                Stream.of(bean instanceof Class<?> given ? given : bean.getClass());
            case Registration.Functional(var declaration, var _) -> declaration.selector().model().stream();
            case Registration.Active _, Registration.Converting _, Registration.Entitled _ -> Stream.empty();
        };
    }

    /** The type itself, and what its methods take, those that it inherits, too. */
    static Stream<Class<?>> of(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                HandlerMethods.of(type).stream().flatMap(method -> Arrays.stream(method.getParameterTypes())));
    }
}
