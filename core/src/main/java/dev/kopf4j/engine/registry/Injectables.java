package dev.kopf4j.engine.registry;

import dev.kopf4j.Memo;

/**
 * What parameters can be given besides what is known of every operator. Immutable.
 *
 * @param indices the indices that there are
 * @param memo the class of the memos
 */
record Injectables(IndexCatalog indices, Class<?> memo) {
    /** An operator without indices and with the usual memos. */
    static final Injectables NONE = new Injectables(IndexCatalog.EMPTY, Memo.class);
}
