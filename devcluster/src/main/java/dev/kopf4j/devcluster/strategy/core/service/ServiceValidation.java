package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the rows about services call: {@code ValidateService} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 * Pure.
 */
final class ServiceValidation {
    private static final String ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

    /** The function of that name; null if there is none. */
    static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return switch (name) {
            case "addressesStay" ->
                (spec, checks) -> ServiceAddressValidation.update(spec.now(), spec.before(), checks);
            case "addressesFit" -> (spec, checks) -> ServiceAddressValidation.check(spec.now(), spec.before(), checks);
            case "looseAddress" -> ServiceValidation::looseAddress;
            case "externalName" -> ServiceValidation::externalName;
            case "uniqueServicePort" -> ServiceValidation::uniquePort;
            case "sourceRange" ->
                (place, checks) -> AddressFields.range(
                        place.text().strip(), place.path(), place.parent().before(), checks);
            case "addressWarning" -> AddressWarnings::ofAddress;
            case "rangeWarning" -> AddressWarnings::ofRange;
            case "annotatedRanges" -> ServiceValidation::annotatedRanges;
            default -> null;
        };
    }

    private ServiceValidation() {}

    /** The spec before a change; missing for a new service. */
    static JsonNode before(ObjectDraft draft) {
        ObjectNode before = draft.before();
        return before == null ? Json.missing() : before.path("spec");
    }

    /** An address of a list may stay. */
    private static void looseAddress(Place place, FieldChecks checks) {
        boolean listed = place.parent().now().isArray();
        AddressFields.address(
                place.text(), place.path(), listed ? place.parent().before() : Json.missing(), checks);
    }

    private static void externalName(Place place, FieldChecks checks) {
        String plain = place.text().replaceFirst("\\.$", "");
        if (plain.isEmpty()) {
            checks.add(FieldError.required(place.path(), ""));
        } else {
            checks.problem(DnsNames.subdomain(plain), place.path(), plain);
        }
    }

    private static void uniquePort(Place port, FieldChecks checks) {
        String protocol = "/" + Json.string(port.now(), "protocol");
        long nodePort = port.now().path("nodePort").longValue(0);
        if (nodePort != 0 && port.parent().hasSeen("nodePort", nodePort + protocol)) {
            checks.add(FieldError.duplicate(port.path() + ".nodePort", String.valueOf(nodePort)));
        }
        if (port.parent().hasSeen("port", port.now().path("port").asString() + protocol)) {
            checks.add(FieldError.duplicate(port.path(), Json.text(port.now())));
        }
    }

    /** The field hides the annotation; what the annotation said before may stay. */
    private static void annotatedRanges(Place service, FieldChecks checks) {
        JsonNode annotations = service.now().path("metadata").path("annotations");
        boolean hidden =
                !service.now().path("spec").path("loadBalancerSourceRanges").isEmpty();
        if (hidden || !annotations.has(ANNOTATION)) {
            return;
        }
        String path = "metadata.annotations[" + ANNOTATION + "]";
        if (ServiceType.of(service.now().path("spec")) != ServiceType.LOAD_BALANCER) {
            checks.add(FieldError.forbidden(path, "may only be used when `type` is 'LoadBalancer'"));
        }
        String given = Json.string(annotations, ANNOTATION);
        String text = given.strip();
        if (!text.isEmpty() && !given.equals(Json.string(service.before(), "metadata", "annotations", ANNOTATION))) {
            for (String range : text.split(",", -1)) {
                AddressFields.range(range.strip(), path, Json.missing(), checks);
            }
        }
    }
}
