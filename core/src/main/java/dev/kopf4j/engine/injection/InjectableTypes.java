package dev.kopf4j.engine.injection;

/**
 * What parameters can be given besides what is known of every operator. Immutable.
 *
 * @param indices the indices that there are
 * @param memo the class of the memos
 */
public record InjectableTypes(DeclaredIndices indices, Class<?> memo) {}
