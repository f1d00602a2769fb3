package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.conversion.WebhookConverter;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.CustomConverter;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Makes the converters that definitions name. */
record CrdConverters(ServerContext state) {
    /** The converter of a definition; none if its versions differ in their apiVersion only. */
    Optional<CustomConverter> of(JsonNode spec) {
        JsonNode conversion = spec.path("conversion");
        return Json.string(conversion, "strategy").equals("Webhook")
                ? Optional.of(new WebhookConverter(
                        conversion.path("webhook"), state.webhookClientManager(), state.nameGenerator()::uid))
                : Optional.empty();
    }
}
