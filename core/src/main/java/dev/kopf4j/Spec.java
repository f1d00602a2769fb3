package dev.kopf4j;

/** The {@code spec} of an object; empty if it has none. Immutable. Made by the framework; not to be implemented. */
public interface Spec extends View {}
