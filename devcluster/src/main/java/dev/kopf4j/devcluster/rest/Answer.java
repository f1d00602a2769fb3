package dev.kopf4j.devcluster.rest;

import tools.jackson.databind.node.ObjectNode;

/** One object as the answer of a verb, in the version and kind of the request. */
public record Answer(int code, ObjectNode object) {}
