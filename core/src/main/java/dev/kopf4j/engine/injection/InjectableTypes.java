package dev.kopf4j.engine.injection;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What parameters can be given besides what is known of every operator. Immutable.
 *
 * @param indices the indices that there are
 * @param memo the class of the memos
 */
public record InjectableTypes(DeclaredIndices indices, Class<?> memo) {

    /**
     * The indices that an operator declares. They are found before the handlers are read, as handlers may ask for
     * indices that are declared after them. Immutable.
     *
     * @param functions the index functions
     */
    public record DeclaredIndices(List<Function> functions) {
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
        public record Function(String id, Type returned, String where) {}

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
}
