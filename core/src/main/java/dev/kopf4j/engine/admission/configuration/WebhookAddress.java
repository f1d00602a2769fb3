package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.engine.admission.authority.TrustBundle;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How webhooks are reached, and whom the API server trusts there: their {@code clientConfig}. Others write into it,
 * too: replicas announce authorities that this one has not heard of yet, and where it is left to cert-manager, its
 * cainjector writes the {@code caBundle} of every webhook of an object with the annotation. Pure.
 *
 * @see <a href="https://cert-manager.io/docs/concepts/ca-injector/">the rules of the cainjector</a>
 */
final class WebhookAddress {
    /** Asks for the cainjector; its value is the namespace and the name of a Certificate. */
    static final String CA_INJECTION = "cert-manager.io/inject-ca-from";

    static final String BUNDLE = "caBundle";

    private WebhookAddress() {}

    /** As the API has it. */
    static ObjectNode of(WebhookClientConfig clientConfig) {
        ObjectNode address = Json.object();
        switch (clientConfig) {
            case WebhookClientConfig.Url url -> address.put("url", url.url());
            case WebhookClientConfig.Service service ->
                address.putObject("service")
                        .put("namespace", service.namespace())
                        .put("name", service.name())
                        .put("path", service.path())
                        .put("port", service.port());
        }
        clientConfig.encodedCaBundle().ifPresent(bundle -> address.put(BUNDLE, bundle));
        return address;
    }

    /** True if a configuration has the annotation. */
    static boolean isInjected(ObjectNode configuration, String certificate) {
        return configuration
                .path("metadata")
                .path("annotations")
                .path(CA_INJECTION)
                .asString("")
                .equals(certificate);
    }

    /** The webhooks with what others have written and is to stay. */
    static ArrayNode beside(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        return where.caInjectedFrom().isPresent() ? withInjected(wanted, stored) : withNewer(wanted, stored);
    }

    /** The webhooks with the bundles that stand there: a new webhook gets that of the others, which is the same. */
    private static ArrayNode withInjected(ArrayNode wanted, ObjectNode stored) {
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

    /** The webhooks, each with the newer shared authorities that any stored webhook has. */
    private static ArrayNode withNewer(ArrayNode wanted, ObjectNode stored) {
        Set<String> bundles = new LinkedHashSet<>();
        stored.path("webhooks")
                .forEach(webhook -> bundles.add(
                        decoded(webhook.path("clientConfig").path(BUNDLE).asString(""))));
        String known = encoded(String.join("\n", bundles));
        ArrayNode kept = wanted.deepCopy();
        for (JsonNode webhook : kept) {
            String bundle = webhook.path("clientConfig").path(BUNDLE).asString("");
            if (!bundle.isEmpty()) {
                ((ObjectNode) webhook).withObject("/clientConfig").put(BUNDLE, withNewer(bundle, known));
            }
        }
        return kept;
    }

    /** A bundle in base64, with the newer shared authorities of another one. */
    static String withNewer(String wanted, String stored) {
        return encoded(TrustBundle.withNewer(decoded(wanted), decoded(stored)));
    }

    private static String decoded(String text) {
        return new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }
}
