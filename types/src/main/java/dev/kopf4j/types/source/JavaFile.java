package dev.kopf4j.types.source;

/**
 * A record for a version of a resource. Immutable.
 *
 * @param name the name of the record
 * @param imports the lines of its imports
 * @param code the record
 */
public record JavaFile(String name, String imports, String code) {}
