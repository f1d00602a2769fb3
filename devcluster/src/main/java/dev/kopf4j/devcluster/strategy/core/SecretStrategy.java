package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets: plain strings become data; types ask for keys. */
public final class SecretStrategy implements ResourceStrategy {
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode next = objectDraft.next();
        if (next.remove("stringData") instanceof ObjectNode plain && !plain.isEmpty()) {
            ObjectNode data = Json.child(next, "data");
            plain.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asString().getBytes(StandardCharsets.UTF_8))));
        }
        if (Json.string(next, "type").isEmpty()) {
            next.put("type", "Opaque");
        }
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        List<FieldError> causes = new ArrayList<>();
        ObjectNode next = objectDraft.next();
        JsonNode data = next.path("data");
        ObjectNode before = objectDraft.before();
        if (before != null && !JsonEquality.same(before.get("type"), next.get("type"))) {
            causes.add(FieldError.invalidString("type", Json.string(next, "type"), "field is immutable"));
        }
        causes.addAll(ConfigKeyValidation.check(data, "data"));
        for (String key : REQUIRED.getOrDefault(Json.string(next, "type"), List.of())) {
            if (!data.has(key)) {
                causes.add(FieldError.required("data[" + key + "]", ""));
            }
        }
        causes.addAll(ofType(next, data));
        if (size(data) > ConfigKeyValidation.MAX_SIZE) {
            causes.add(ConfigKeyValidation.tooLong("data"));
        }
        causes.addAll(immutable(before, next));
        return causes;
    }

    private static List<FieldError> ofType(ObjectNode next, JsonNode data) {
        List<FieldError> causes = new ArrayList<>();
        String account = "kubernetes.io/service-account.name";
        switch (Json.string(next, "type")) {
            case "kubernetes.io/service-account-token" -> {
                if (Json.string(next, "metadata", "annotations", account).isEmpty()) {
                    causes.add(FieldError.required("metadata.annotations[" + account + "]", ""));
                }
            }
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    causes.add(FieldError.required("data[username]", ""));
                    causes.add(FieldError.required("data[password]", ""));
                }
            }
            case "kubernetes.io/dockerconfigjson" -> causes.addAll(json(data, ".dockerconfigjson"));
            case "kubernetes.io/dockercfg" -> causes.addAll(json(data, ".dockercfg"));
            default -> {}
        }
        return causes;
    }

    private static List<FieldError> json(JsonNode data, String key) {
        try {
            if (data.has(key)) {
                Json.parse(Base64.getDecoder().decode(data.path(key).asString()));
            }
            return List.of();
        } catch (JacksonException e) {
            String text = new String(Base64.getDecoder().decode(data.path(key).asString()), StandardCharsets.UTF_8);
            String first = text.strip().isEmpty() ? "" : text.strip().substring(0, 1);
            String wrong = first.isEmpty()
                    ? "unexpected end of JSON input"
                    : "{[\"-0123456789tfn".contains(first)
                            ? String.valueOf(e.getOriginalMessage())
                            : "invalid character '" + first + "' looking for beginning of value";
            return List.of(FieldError.invalidString("data[" + key + "]", "<secret contents redacted>", wrong));
        }
    }

    private static long size(JsonNode data) {
        return data.valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
    }

    private static List<FieldError> immutable(@Nullable ObjectNode before, ObjectNode next) {
        return ImmutableDataValidation.check(before, next, List.of("data"));
    }
}
