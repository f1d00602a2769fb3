package dev.kopf4j.engine.injection;

import dev.kopf4j.Memo;

/**
 * What parameters can be given besides what is known of every operator. Immutable.
 *
 * @param indices the indices that there are
 * @param memo the class of the memos
 */
public record InjectableTypes(DeclaredIndices indices, Class<?> memo) {
    /** An operator without indices and with the usual memos. */
    static final InjectableTypes NONE = new InjectableTypes(DeclaredIndices.EMPTY, Memo.class);
}
