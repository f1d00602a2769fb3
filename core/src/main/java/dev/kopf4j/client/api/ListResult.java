package dev.kopf4j.client.api;

/**
 * The result of a complete list. A watch goes on from its version.
 *
 * @param resourceVersion the version of the list; empty if the server gave none
 * @param count how many objects were listed
 */
public record ListResult(String resourceVersion, int count) {}
