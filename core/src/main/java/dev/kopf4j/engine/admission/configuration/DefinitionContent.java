package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OnConvert;
import dev.kopf4j.engine.conversion.ConversionPaths;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A custom resource definition, as far as conversions go: the versions that objects can come in, those that they can be
 * asked for in, and the {@code spec.conversion} that it is to have if the operator converts its objects. Immutable.
 *
 * @param all the versions that the definition has
 * @param sources those that are served or stored, also by objects that were stored earlier
 * @param targets those that are served, and the one that is stored
 * @param body the definition
 * @see <a
 *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/">the
 *     fields</a>
 */
record DefinitionContent(Set<String> all, Set<String> sources, Set<String> targets, ObjectNode body) {
    private static final String ADDRESS = "/spec/conversion/webhook/clientConfig";

    /** What a definition says. */
    static DefinitionContent of(ObjectNode definition) {
        Set<String> all = new LinkedHashSet<>();
        Set<String> targets = new LinkedHashSet<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            String name = version.path("name").asString("");
            all.add(name);
            if (version.path("served").asBoolean(false)
                    || version.path("storage").asBoolean(false)) {
                targets.add(name);
            }
        }
        Set<String> sources = new LinkedHashSet<>(targets);
        definition.path("status").path("storedVersions").forEach(version -> sources.add(version.asString("")));
        return new DefinitionContent(all, sources, targets, definition);
    }

    /** The ways that there are none of: {@code v1 -> v3}. */
    List<String> missing(ConversionPaths paths) {
        List<String> missing = new ArrayList<>();
        for (String from : sources) {
            targets.stream().filter(to -> !paths.leads(from, to)).forEach(to -> missing.add(from + " -> " + to));
        }
        return missing;
    }

    /** The versions that functions name, but the definition does not have. */
    List<String> unknown(ConversionPaths paths) {
        return paths.versions().stream()
                .filter(version -> !version.equals(OnConvert.HUB) && !all.contains(version))
                .toList();
    }

    /** A merge patch that makes any definition's conversion the operator's. */
    static ObjectNode patch(String definition, WebhookClientConfig where) {
        ObjectNode address = WebhookAddress.of(where.withPath(ConversionReviews.path(definition)));
        for (String key : List.of("url", "service", WebhookAddress.BUNDLE)) {
            if (!address.has(key)) {
                address.putNull(key);
            }
        }
        ObjectNode patch = Json.object();
        where.caInjectedFrom().ifPresent(from -> {
            address.remove(WebhookAddress.BUNDLE);
            patch.putObject("metadata").putObject("annotations").put(WebhookAddress.CA_INJECTION, from);
        });
        ObjectNode conversion = patch.putObject("spec").putObject("conversion").put("strategy", "Webhook");
        ObjectNode webhook = conversion.putObject("webhook");
        webhook.set("clientConfig", address);
        webhook.putArray("conversionReviewVersions").add("v1");
        return patch;
    }

    /** The patch with what other replicas have written into the definition and is to stay. */
    ObjectNode beside(ObjectNode patch) {
        String wanted = patch.at(ADDRESS).path(WebhookAddress.BUNDLE).asString("");
        if (wanted.isEmpty()) {
            return patch;
        }
        ObjectNode kept = patch.deepCopy();
        kept.withObject(ADDRESS)
                .put(
                        WebhookAddress.BUNDLE,
                        WebhookAddress.withNewer(
                                wanted,
                                body.at(ADDRESS).path(WebhookAddress.BUNDLE).asString("")));
        return kept;
    }

    /** True if the definition is already as the patch would make it. */
    boolean isMetBy(ObjectNode patch) {
        return JsonEquality.equal(body, MergePatch.apply(body, patch));
    }

    /** True if the definition asks some webhook. */
    boolean asksWebhook() {
        return body.at("/spec/conversion/strategy").asString("").equals("Webhook");
    }
}
