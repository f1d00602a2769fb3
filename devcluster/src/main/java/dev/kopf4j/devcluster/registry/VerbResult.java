package dev.kopf4j.devcluster.registry;

import tools.jackson.databind.node.ObjectNode;

/** One object as the answer of a verb, in the version and kind of the request. */
public record VerbResult(int code, ObjectNode object) {}
