package dev.kopf4j.devcluster.registry;

import tools.jackson.databind.node.ObjectNode;

/**
 * The object that a verb answers with, in the version and kind of the request.
 *
 * @param code the HTTP status
 */
public record VerbResult(int code, ObjectNode object) {}
