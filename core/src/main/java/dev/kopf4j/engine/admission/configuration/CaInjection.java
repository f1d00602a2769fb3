package dev.kopf4j.engine.admission.configuration;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Leaves the authorities of webhooks to cert-manager: its cainjector writes the {@code caBundle} of every webhook of a
 * configuration with the annotation. Pure.
 *
 * @see <a href="https://cert-manager.io/docs/concepts/ca-injector/">its rules</a>
 */
final class CaInjection {
    /** Its value is the namespace and the name of a Certificate. */
    static final String ANNOTATION = "cert-manager.io/inject-ca-from";

    private static final String BUNDLE = "caBundle";

    private CaInjection() {}

    /** True if a configuration has the annotation. */
    static boolean isAskedFor(ObjectNode configuration, String certificate) {
        return configuration
                .path("metadata")
                .path("annotations")
                .path(ANNOTATION)
                .asString("")
                .equals(certificate);
    }

    /** The webhooks with the bundles that stand there: a new webhook gets that of the others, which is the same. */
    static ArrayNode kept(ArrayNode wanted, ObjectNode stored) {
        Map<String, String> bundles = new HashMap<>();
        stored.path("webhooks")
                .forEach(webhook -> bundles.put(webhook.path("name").asString(""), bundle(webhook)));
        String any = bundles.values().stream()
                .filter(bundle -> !bundle.isEmpty())
                .findFirst()
                .orElse("");
        ArrayNode kept = wanted.deepCopy();
        for (JsonNode webhook : kept) {
            String known = bundles.getOrDefault(webhook.path("name").asString(""), "");
            String bundle = known.isEmpty() ? any : known;
            ObjectNode clientConfig = ((ObjectNode) webhook).withObject("/clientConfig");
            if (bundle.isEmpty()) {
                clientConfig.remove(BUNDLE);
            } else {
                clientConfig.put(BUNDLE, bundle);
            }
        }
        return kept;
    }

    private static String bundle(JsonNode webhook) {
        return webhook.path("clientConfig").path(BUNDLE).asString("");
    }
}
