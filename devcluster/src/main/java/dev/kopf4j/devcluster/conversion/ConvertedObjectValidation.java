package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a conversion may not change: {@code validateConvertedObject} in
 * {@code pkg/apiserver/conversion/webhook_converter.go} of the apiextensions-apiserver, v1.33. Pure.
 */
final class ConvertedObjectValidation {
    private ConvertedObjectValidation() {}

    /** Checks that an object has the wanted version and its kind. */
    static void checkKind(JsonNode original, JsonNode converted, String apiVersion) throws ConversionFailed {
        String version = Json.string(converted, "apiVersion");
        if (!version.equals(apiVersion)) {
            throw new ConversionFailed("invalid groupVersion (expected " + apiVersion + ", received " + version + ")");
        }
        String expected = Json.string(original, "kind");
        String kind = Json.string(converted, "kind");
        if (!kind.equals(expected)) {
            throw new ConversionFailed("invalid kind (expected " + expected + ", received " + kind + ")");
        }
    }

    /** Checks that an object is still the same one. */
    static void checkIdentity(ObjectNode original, ObjectNode converted) throws ConversionFailed {
        checkSame(original, converted, "name", "name");
        checkSame(original, converted, "namespace", "namespace");
        checkSame(original, converted, "uid", "UID");
    }

    private static void checkSame(ObjectNode original, ObjectNode converted, String field, String words)
            throws ConversionFailed {
        String expected = Json.string(original, "metadata", field);
        String given = Json.string(converted, "metadata", field);
        if (!given.equals(expected)) {
            throw new ConversionFailed("must have the same " + words + ": " + expected + " != " + given);
        }
    }
}
