package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.engine.conversion.ConversionAddress;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code spec.conversion} of a definition whose objects the operator converts. Pure.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/">the
 *     fields</a>
 */
final class ConversionStanza {
    private static final String BUNDLE = "caBundle";

    private ConversionStanza() {}

    /** A merge patch that makes a definition's conversion the operator's. */
    static ObjectNode patch(String definition, WebhookClientConfig where) {
        ObjectNode address = WebhookAddress.of(where.withPath(ConversionAddress.of(definition)));
        for (String key : List.of("url", "service", BUNDLE)) {
            if (!address.has(key)) {
                address.putNull(key);
            }
        }
        ObjectNode patch = Json.object();
        where.caInjectedFrom().ifPresent(from -> {
            address.remove(BUNDLE);
            patch.putObject("metadata").putObject("annotations").put(CaInjection.ANNOTATION, from);
        });
        ObjectNode conversion = patch.putObject("spec").putObject("conversion").put("strategy", "Webhook");
        ObjectNode webhook = conversion.putObject("webhook");
        webhook.set("clientConfig", address);
        webhook.putArray("conversionReviewVersions").add("v1");
        return patch;
    }

    /** The patch with what other replicas have written into a definition and is to stay. */
    static ObjectNode beside(ObjectNode definition, ObjectNode patch) {
        String address = "/spec/conversion/webhook/clientConfig";
        String wanted = patch.at(address).path(BUNDLE).asString("");
        if (wanted.isEmpty()) {
            return patch;
        }
        ObjectNode kept = patch.deepCopy();
        kept.withObject(address)
                .put(
                        BUNDLE,
                        StoredBundles.kept(
                                wanted, definition.at(address).path(BUNDLE).asString("")));
        return kept;
    }

    /** True if a definition is already as the patch would make it. */
    static boolean isMetBy(ObjectNode definition, ObjectNode patch) {
        return JsonEquality.equal(definition, MergePatch.apply(definition, patch));
    }

    /** True if a definition asks some webhook. */
    static boolean asksWebhook(JsonNode definition) {
        return definition.at("/spec/conversion/strategy").asString("").equals("Webhook");
    }
}
