package dev.kopf4j.engine.maintenance;

/**
 * Something that may be wrong with many objects. Immutable.
 *
 * @param problem what
 * @param wayOut what to do about it
 */
record Symptom(String problem, String wayOut) {}
