package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Config maps and secrets. */
final class ConfigStrategies {
    private static final String IMMUTABLE_DATA_RULE = "field is immutable when `immutable` is set";

    /** The limit of all values together, in bytes. */
    private static final int MAX_SIZE = 1 << 20;

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");
    private static final String RULE =
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                    + " 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

    private ConfigStrategies() {}

    /**
     * Config maps: {@code ValidateConfigMap} and {@code ValidateConfigMapUpdate} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    static final class ConfigMapStrategy implements ResourceStrategy {
        private static final List<String> FIELDS = List.of("data", "binaryData");

        @Override
        public void prepare(ObjectDraft draft) {
            for (String field : FIELDS) {
                if (draft.next().path(field).isEmpty()) {
                    draft.next().remove(field);
                }
            }
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode data = draft.next().path("data");
            JsonNode binary = draft.next().path("binaryData");
            keys(data, "data", checks);
            keys(binary, "binaryData", checks);
            for (String key : data.propertyNames()) {
                if (binary.has(key)) {
                    checks.problem("duplicate of key present in binaryData", "data[" + key + "]", key);
                }
            }
            checkSize(size(data) + decodedSize(binary), "", checks);
            checkImmutableData(draft, FIELDS, checks);
        }

        private static long size(JsonNode data) {
            return data.valueStream()
                    .mapToLong(value -> value.asString().getBytes(StandardCharsets.UTF_8).length)
                    .sum();
        }
    }

    /**
     * Secrets: {@code stringData} becomes {@code data} ({@code pkg/apis/core/v1/conversion.go}); {@code ValidateSecret}
     * and {@code ValidateSecretUpdate} in {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    static final class SecretStrategy implements ResourceStrategy {
        private static final Map<String, List<String>> REQUIRED = Map.of(
                "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
                "kubernetes.io/dockercfg", List.of(".dockercfg"),
                "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
                "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));
        private static final String ACCOUNT = "kubernetes.io/service-account.name";

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode next = draft.next();
            if (next.remove("stringData") instanceof ObjectNode plain && !plain.isEmpty()) {
                ObjectNode data = Json.child(next, "data");
                plain.properties().forEach(entry -> data.put(entry.getKey(), encoded(entry.getValue())));
            }
            if (Json.string(next, "type").isEmpty()) {
                next.put("type", "Opaque");
            }
        }

        private static String encoded(JsonNode text) {
            return Base64.getEncoder().encodeToString(text.asString().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            ObjectNode next = draft.next();
            ObjectNode before = draft.before();
            String type = Json.string(next, "type");
            if (before != null && !JsonEquality.same(before.get("type"), next.get("type"))) {
                checks.problem("field is immutable", "type", type);
            }
            JsonNode data = next.path("data");
            keys(data, "data", checks);
            checkType(type, next, checks);
            checkSize(decodedSize(data), "data", checks);
            checkImmutableData(draft, List.of("data"), checks);
        }

        /**
         * Validates the data that the type of a secret requires: {@code ValidateSecret} in
         * {@code pkg/apis/core/validation/validation.go}, v1.33.
         */
        private static void checkType(String type, ObjectNode secret, FieldChecks checks) {
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

    /**
     * Reports wrong keys of a map: {@code IsConfigMapKey} in apimachinery's {@code pkg/util/validation/validation.go},
     * v1.33.
     */
    private static void keys(JsonNode data, String field, FieldChecks checks) {
        for (String key : data.propertyNames()) {
            boolean right = KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..");
            checks.problem(right ? "" : RULE, field + "[" + key + "]", key);
        }
    }

    /** Reports a size beyond the limit. */
    private static void checkSize(long bytes, String field, FieldChecks checks) {
        if (bytes > MAX_SIZE) {
            checks.add(new FieldError(
                    FieldError.Type.TOO_LONG, "Too long: may not be more than " + MAX_SIZE + " bytes", field));
        }
    }

    /** The approximate size of Base64 values when decoded. */
    private static long decodedSize(JsonNode data) {
        return data.valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
    }

    /** Refuses changes of fields, and of the flag {@code immutable} itself, once the flag is set (KEP-1412). */
    private static void checkImmutableData(ObjectDraft draft, List<String> fields, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (before == null || !isImmutable(before)) {
            return;
        }
        if (!isImmutable(draft.next())) {
            checks.add(FieldError.forbidden("immutable", IMMUTABLE_DATA_RULE));
        }
        for (String field : fields) {
            if (!JsonEquality.same(before.path(field), draft.next().path(field))) {
                checks.add(FieldError.forbidden(field, IMMUTABLE_DATA_RULE));
            }
        }
    }

    private static boolean isImmutable(ObjectNode object) {
        return object.path("immutable").booleanValue(false);
    }
}
