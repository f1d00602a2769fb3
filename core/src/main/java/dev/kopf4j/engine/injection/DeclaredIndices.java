package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnIndex;
import dev.kopf4j.Registration;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The indices that an operator declares, known before its handlers are read: they may ask for indices that are declared
 * after them. Immutable.
 *
 * @param functions the index functions
 */
public record DeclaredIndices(List<Function> functions) {
    /** Nothing is declared. */
    static final DeclaredIndices EMPTY = new DeclaredIndices(List.of());

    /** Copies the list. */
    public DeclaredIndices {
        functions = List.copyOf(functions);
    }

    /**
     * One index function.
     *
     * @param id of its index
     * @param returned the type that it declares to return; {@code Object} if that is not known
     * @param where the method, for messages
     */
    record Function(String id, Type returned, String where) {}

    public static DeclaredIndices of(Collection<Registration> registrations) {
        List<Function> functions = new ArrayList<>();
        for (Registration registration : registrations) {
            switch (registration) {
                case Registration.Annotated(Object bean) -> functions.addAll(of(bean));
                case Registration.Active _ -> {}
                case Registration.Functional(var definition, var _) -> {
                    String id = definition.id();
                    if (definition.kind() == HandlerKind.INDEX && id != null) {
                        functions.add(new Function(id, Object.class, "a registered function"));
                    }
                }
            }
        }
        return new DeclaredIndices(functions);
    }

    private static List<Function> of(Object bean) {
        Class<?> type = bean instanceof Class<?> given ? given : bean.getClass();
        return HandlerMethods.of(type).stream()
                .flatMap(method -> Arrays.stream(method.getAnnotationsByType(OnIndex.class))
                        .map(annotation -> of(method, annotation)))
                .toList();
    }

    private static Function of(Method method, OnIndex annotation) {
        String id = annotation.id().isEmpty() ? method.getName() : annotation.id();
        return new Function(id, method.getGenericReturnType(), HandlerMethods.describe(method));
    }

    /** The functions of one index; none if it is not declared. */
    List<Function> of(String id) {
        return functions.stream().filter(each -> each.id().equals(id)).toList();
    }

    /** The ids of all indices, in alphabetical order. */
    Set<String> ids() {
        Set<String> ids = new TreeSet<>();
        functions.forEach(each -> ids.add(each.id()));
        return ids;
    }
}
