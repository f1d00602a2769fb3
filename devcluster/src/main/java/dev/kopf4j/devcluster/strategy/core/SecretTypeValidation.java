package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates the data that the type of a secret requires: {@code ValidateSecret} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class SecretTypeValidation {
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    private SecretTypeValidation() {}

    static void check(String type, ObjectNode secret, FieldChecks checks) {
        JsonNode data = secret.path("data");
        for (String key : REQUIRED.getOrDefault(type, List.of())) {
            required(data, key, checks);
        }
        switch (type) {
            case "kubernetes.io/service-account-token" -> {
                if (Json.string(secret, "metadata", "annotations", ACCOUNT).isEmpty()) {
                    checks.add(FieldError.required("metadata.annotations[" + ACCOUNT + "]", ""));
                }
            }
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    required(data, "username", checks);
                    required(data, "password", checks);
                }
            }
            case "kubernetes.io/dockerconfigjson" -> json(data, ".dockerconfigjson", checks);
            case "kubernetes.io/dockercfg" -> json(data, ".dockercfg", checks);
            default -> {}
        }
    }

    private static void required(JsonNode data, String key, FieldChecks checks) {
        if (!data.has(key)) {
            checks.add(FieldError.required("data[" + key + "]", ""));
        }
    }

    private static void json(JsonNode data, String key, FieldChecks checks) {
        if (!data.has(key)) {
            return;
        }
        byte[] content = Base64.getDecoder().decode(data.path(key).asString());
        try {
            Json.parse(content);
        } catch (JacksonException e) {
            String text = new String(content, StandardCharsets.UTF_8).strip();
            checks.problem(unreadable(text, e), "data[" + key + "]", "<secret contents redacted>");
        }
    }

    /** The message of Go's encoding/json about a text that is not JSON. */
    private static String unreadable(String text, JacksonException e) {
        if (text.isEmpty()) {
            return "unexpected end of JSON input";
        }
        String first = text.substring(0, 1);
        return "{[\"-0123456789tfn".contains(first)
                ? String.valueOf(e.getOriginalMessage())
                : "invalid character '" + first + "' looking for beginning of value";
    }
}
