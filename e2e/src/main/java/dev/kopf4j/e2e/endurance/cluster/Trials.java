package dev.kopf4j.e2e.endurance.cluster;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** The objects under trial: where they are, what they look like. */
public final class Trials {
    /** All objects, of all namespaces. */
    public static final String ALL = "/apis/endurance.kopf4j.dev/v1/trials";

    /** The namespaces in which objects live; the last of them is deleted now and then. */
    public static final List<String> NAMESPACES = List.of("endurance-a", "endurance-b");

    static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String DEFINITION_NAME = "trials.endurance.kopf4j.dev";

    static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"trials.endurance.kopf4j.dev"},
             "spec":{"group":"endurance.kopf4j.dev","scope":"Namespaced",
              "names":{"kind":"Trial","plural":"trials","singular":"trial"},
              "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
                "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}
            """;

    private Trials() {}

    /** Where the objects of a namespace are. */
    public static String in(String namespace) {
        return "/apis/endurance.kopf4j.dev/v1/namespaces/" + namespace + "/trials";
    }

    /** A new object. */
    public static String object(String name, long value) {
        return """
                {"apiVersion":"endurance.kopf4j.dev/v1","kind":"Trial","metadata":{"name":"%s"},"spec":{"value":%s}}\
                """.formatted(name, value);
    }

    /** A merge patch. */
    public static String change(long value) {
        return "{\"spec\":{\"value\":" + value + "}}";
    }

    /** What the object asks for. */
    public static long value(JsonNode object) {
        return object.at("/spec/value").asLong(0);
    }

    /** Whether somebody has asked for its deletion. */
    public static boolean isDeleting(JsonNode object) {
        return object.at("/metadata").has("deletionTimestamp");
    }
}
