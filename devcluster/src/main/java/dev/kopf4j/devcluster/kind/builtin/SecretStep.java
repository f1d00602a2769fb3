package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
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
final class SecretStep implements KindRules {
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

    @Override
    public void prepare(Draft draft) {
        ObjectNode next = draft.next();
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
    public List<Cause> check(Draft draft) {
        List<Cause> causes = new ArrayList<>();
        ObjectNode next = draft.next();
        JsonNode data = next.path("data");
        ObjectNode before = draft.before();
        if (before != null && !Equality.same(before.get("type"), next.get("type"))) {
            causes.add(Cause.invalidString("type", Json.string(next, "type"), "field is immutable"));
        }
        causes.addAll(ConfigKeys.check(data, "data"));
        for (String key : REQUIRED.getOrDefault(Json.string(next, "type"), List.of())) {
            if (!data.has(key)) {
                causes.add(Cause.required("data[" + key + "]", ""));
            }
        }
        causes.addAll(ofType(next, data));
        if (size(data) > ConfigKeys.MAX_SIZE) {
            causes.add(ConfigKeys.tooLong("data"));
        }
        causes.addAll(immutable(before, next));
        return causes;
    }

    private static List<Cause> ofType(ObjectNode next, JsonNode data) {
        List<Cause> causes = new ArrayList<>();
        String account = "kubernetes.io/service-account.name";
        switch (Json.string(next, "type")) {
            case "kubernetes.io/service-account-token" -> {
                if (Json.string(next, "metadata", "annotations", account).isEmpty()) {
                    causes.add(Cause.required("metadata.annotations[" + account + "]", ""));
                }
            }
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    causes.add(Cause.required("data[username]", ""));
                    causes.add(Cause.required("data[password]", ""));
                }
            }
            case "kubernetes.io/dockerconfigjson" -> causes.addAll(json(data, ".dockerconfigjson"));
            case "kubernetes.io/dockercfg" -> causes.addAll(json(data, ".dockercfg"));
            default -> {}
        }
        return causes;
    }

    private static List<Cause> json(JsonNode data, String key) {
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
            return List.of(Cause.invalidString("data[" + key + "]", "<secret contents redacted>", wrong));
        }
    }

    private static long size(JsonNode data) {
        return data.valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
    }

    private static List<Cause> immutable(@Nullable ObjectNode before, ObjectNode next) {
        return Immutable.check(before, next, List.of("data"));
    }
}
