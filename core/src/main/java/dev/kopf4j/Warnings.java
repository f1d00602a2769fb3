package dev.kopf4j;

/**
 * What the client of the API is warned of, although its request may go on: {@code kubectl} shows it. A parameter of
 * admission handlers. Confined to the call.
 */
@FunctionalInterface
public interface Warnings {
    /** Adds a warning. The API server cuts off what is longer than 256 characters, and drops more than 4 KB in all. */
    void add(String warning);
}
