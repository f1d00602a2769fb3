package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnIndex;
import dev.kopf4j.engine.injection.DeclaredIndices;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Finds the indices of what was registered, before any handler is read. Pure. */
final class IndexDeclarations {
    private IndexDeclarations() {}

    static DeclaredIndices of(List<Registration> registrations) {
        return new DeclaredIndices(
                registrations.stream().flatMap(IndexDeclarations::in).toList());
    }

    private static Stream<DeclaredIndices.Function> in(Registration registration) {
        return switch (registration) {
            case Registration.Annotated(Object bean) ->
                annotated(bean instanceof Class<?> type ? type : bean.getClass());
            case Registration.Active _, Registration.Converting _, Registration.Entitled _ -> Stream.empty();
            case Registration.Functional(var declaration, var _) ->
                Stream.ofNullable(declaration.kind() == HandlerKind.INDEX ? declaration.id() : null)
                        .map(id -> new DeclaredIndices.Function(id, Object.class, "a registered function"));
        };
    }

    private static Stream<DeclaredIndices.Function> annotated(Class<?> type) {
        return HandlerMethods.of(type).stream()
                .flatMap(method -> Arrays.stream(method.getAnnotationsByType(OnIndex.class))
                        .map(annotation -> function(method, annotation)));
    }

    private static DeclaredIndices.Function function(Method method, OnIndex annotation) {
        String id = annotation.id().isEmpty() ? method.getName() : annotation.id();
        return new DeclaredIndices.Function(id, method.getGenericReturnType(), HandlerMethods.describe(method));
    }
}
