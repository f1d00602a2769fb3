package dev.kopf4j;

/** The {@code spec} of an object; empty if it has none. Immutable. */
public interface Spec extends View {}
