package dev.kopf4j.devcluster.resource;

import tools.jackson.databind.node.ObjectNode;

/** Converts custom objects between the versions of their kind. Thread-safe; may wait for a webhook. */
@FunctionalInterface
public interface CustomConverter {
    /**
     * The object in another version.
     *
     * @param object with its kind, and the apiVersion that it is in; it is not changed
     * @throws dev.kopf4j.devcluster.status.ApiException if it cannot be converted
     */
    ObjectNode convert(ObjectNode object, String apiVersion);
}
