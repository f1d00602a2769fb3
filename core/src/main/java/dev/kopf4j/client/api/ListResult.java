package dev.kopf4j.client.api;

/**
 * What is known after a list: where a watch goes on from.
 *
 * @param resourceVersion the version of the list; empty if the server gave none
 * @param count how many objects were listed
 */
public record ListResult(String resourceVersion, int count) {}
