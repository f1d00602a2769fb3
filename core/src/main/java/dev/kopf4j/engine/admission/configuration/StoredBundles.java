package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.engine.admission.authority.NewerAuthorities;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Keeps authorities that other replicas have announced, and this one has not heard of yet. Pure. */
final class StoredBundles {
    private static final String BUNDLE = "caBundle";

    private StoredBundles() {}

    /** The webhooks, each with the newer shared authorities that any stored webhook has. */
    static ArrayNode kept(ArrayNode wanted, ObjectNode stored) {
        Set<String> bundles = new LinkedHashSet<>();
        stored.path("webhooks")
                .forEach(webhook -> bundles.add(
                        decoded(webhook.path("clientConfig").path(BUNDLE).asString(""))));
        String known = encoded(String.join("\n", bundles));
        ArrayNode kept = wanted.deepCopy();
        for (JsonNode webhook : kept) {
            String bundle = webhook.path("clientConfig").path(BUNDLE).asString("");
            if (!bundle.isEmpty()) {
                ((ObjectNode) webhook).withObject("/clientConfig").put(BUNDLE, kept(bundle, known));
            }
        }
        return kept;
    }

    /** A bundle in base64, with the newer shared authorities of another one. */
    static String kept(String wanted, String stored) {
        return encoded(NewerAuthorities.kept(decoded(wanted), decoded(stored)));
    }

    private static String decoded(String text) {
        return new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }
}
