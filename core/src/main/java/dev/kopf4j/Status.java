package dev.kopf4j;

/**
 * The {@code status} of an object; empty if it has none. Immutable; changes go through {@link Patch#status()}. Made by
 * the framework; not to be implemented.
 */
public interface Status extends View {}
