package dev.kopf4j;

/** The {@code status} of an object; empty if it has none. Immutable; changes go through {@link Patch#status()}. */
public interface Status extends View {}
