package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the rows about config maps, secrets, limits, quotas and nodes call:
 * {@code pkg/apis/core/validation/validation.go} and {@code pkg/apis/core/helper/helpers.go}, v1.33. Pure.
 */
final class CoreRuleFunctions {
    /** The limit of all values of a config map or secret together, in bytes. */
    private static final int MAX_SIZE = 1 << 20;

    private static final Set<String> OF_PODS = words("pods cpu memory ephemeral-storage requests.cpu requests.memory"
            + " requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage");

    /** How the limits of a resource go together: the smaller field, the larger one, the one that errors name. */
    private static final List<String> LIMIT_ORDER = List.of(
            "min,max,min,min value is greater than max value",
            "min,defaultRequest,defaultRequest,min value is greater than default request value",
            "defaultRequest,max,defaultRequest,default request value is greater than max value",
            "defaultRequest,default,defaultRequest,default request value is greater than default limit value",
            "min,default,default,min value is greater than default value",
            "default,max,default,default value is greater than max value");

    /** The function of that name; null if there is none. */
    static @Nullable BiConsumer<Place, FieldChecks> named(String name) {
        return switch (name) {
            case "sizeOfData" -> CoreRuleFunctions::sizeOfData;
            case "readableJson" -> CoreRuleFunctions::readableJson;
            case "encodeStringData" -> CoreRuleFunctions::encodeStringData;
            case "limitsFit" -> CoreRuleFunctions::limitsFit;
            case "scopeOfAmounts" -> CoreRuleFunctions::scopeOfAmounts;
            case "scopesFit" ->
                (spec, checks) -> scopesFit(spec, words(spec.now().path("scopes"), ""), checks);
            case "selectedScopesFit" ->
                (spec, checks) -> scopesFit(
                        spec, words(Json.at(spec.now(), "scopeSelector", "matchExpressions"), "scopeName"), checks);
            case "sameWords" -> CoreRuleFunctions::sameWords;
            default -> null;
        };
    }

    private CoreRuleFunctions() {}

    private static Set<String> words(String words) {
        return Set.of(words.split(" ", -1));
    }

    private static Set<String> words(JsonNode list, String field) {
        Set<String> words = new HashSet<>();
        list.forEach(each -> words.add(field.isEmpty() ? each.asString() : Json.string(each, field)));
        return words;
    }

    /** The size of a secret's data, or of all that a config map has; what is in Base64 counts as when it is decoded. */
    private static void sizeOfData(Place place, FieldChecks checks) {
        boolean ofConfigMap = place.name().isEmpty();
        JsonNode encoded = ofConfigMap ? place.now().path("binaryData") : place.now();
        long bytes = encoded.valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
        if (ofConfigMap) {
            for (JsonNode value : place.now().path("data")) {
                bytes += value.asString().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (bytes > MAX_SIZE) {
            String rule = "Too long: may not be more than " + MAX_SIZE + " bytes";
            checks.add(new FieldError(FieldError.Type.TOO_LONG, rule, place.path()));
        }
    }

    private static void readableJson(Place value, FieldChecks checks) {
        if (!value.isPresent()) {
            return;
        }
        byte[] content = Base64.getDecoder().decode(value.text());
        try {
            Json.parse(content);
        } catch (JacksonException e) {
            String text = new String(content, StandardCharsets.UTF_8).strip();
            checks.problem(unreadable(text, e), value.path(), "<secret contents redacted>");
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

    /** {@code stringData} becomes {@code data}: {@code pkg/apis/core/v1/conversion.go}. */
    private static void encodeStringData(Place secret, FieldChecks checks) {
        ObjectNode next = secret.draft().next();
        if (next.remove("stringData") instanceof ObjectNode plain && !plain.isEmpty()) {
            ObjectNode data = Json.child(next, "data");
            plain.properties().forEach(entry -> {
                byte[] text = entry.getValue().asString().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(text));
            });
        }
    }

    /** Whether Kubernetes itself defines the amount. */
    private static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    /** {@code ValidateLimitRange}: limits, defaults and ratio of each resource. */
    private static void limitsFit(Place limit, FieldChecks checks) {
        boolean ofPods = Json.string(limit.now(), "type").equals("Pod");
        Set<String> resources = new TreeSet<>();
        for (String field : List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")) {
            if (!ofPods || !field.startsWith("default")) {
                resources.addAll(limit.now().path(field).propertyNames());
            }
        }
        for (String resource : resources) {
            for (String order : LIMIT_ORDER) {
                String[] parts = order.split(",", -1);
                BigDecimal least = amount(limit, parts[0], resource, ofPods);
                BigDecimal most = amount(limit, parts[1], resource, ofPods);
                if (least != null && most != null && least.compareTo(most) > 0) {
                    refuse(limit, parts[2], resource, parts[3], checks);
                }
            }
            ratioFits(limit, resource, ofPods, checks);
            BigDecimal usual = amount(limit, "default", resource, ofPods);
            BigDecimal request = amount(limit, "defaultRequest", resource, ofPods);
            boolean overcommits = isNative(resource) && !resource.startsWith("hugepages-");
            if (!overcommits && usual != null && request != null && usual.compareTo(request) != 0) {
                String rule = "default value must equal to defaultRequest value in " + resource;
                refuse(limit, "defaultRequest", resource, rule, checks);
            }
        }
    }

    private static @Nullable BigDecimal amount(Place limit, String field, String resource, boolean ofPods) {
        String text = Json.string(limit.now(), field, resource);
        return text.isEmpty() || (ofPods && field.startsWith("default")) ? null : Quantity.value(text);
    }

    private static void refuse(Place limit, String field, String resource, String rule, FieldChecks checks) {
        String shown = Json.string(limit.now(), field, resource);
        checks.problem(rule, limit.path() + "." + field + "[" + resource + "]", shown);
    }

    private static void ratioFits(Place limit, String resource, boolean ofPods, FieldChecks checks) {
        String field = "maxLimitRequestRatio";
        BigDecimal ratio = amount(limit, field, resource, ofPods);
        BigDecimal least = amount(limit, "min", resource, ofPods);
        BigDecimal most = amount(limit, "max", resource, ofPods);
        if (ratio != null && ratio.compareTo(BigDecimal.ONE) < 0) {
            refuse(limit, field, resource, "ratio " + ratio + " is less than 1", checks);
        }
        if (ratio != null && least != null && most != null && least.signum() != 0) {
            BigDecimal largest = most.divide(least, MathContext.DECIMAL64);
            if (ratio.compareTo(largest) > 0) {
                refuse(limit, field, resource, "ratio " + ratio + " is greater than max/min = " + largest, checks);
            }
        }
    }

    /** Reports each amount of a quota that its scope does not count. */
    private static void scopeOfAmounts(Place scope, FieldChecks checks) {
        JsonNode hard = Json.at(scope.draft().next(), "spec", "hard");
        for (String resource : hard.propertyNames()) {
            boolean fits = switch (scope.text()) {
                case "BestEffort" -> resource.equals("pods");
                case "VolumeAttributesClass" ->
                    resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
                case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity" ->
                    OF_PODS.contains(resource);
                default -> true;
            };
            if (!resource.contains("/") && !fits) {
                String path = scope.path().replaceFirst("\\.scopeName$", "");
                checks.problem("unsupported scope applied to resource", path, scope.text());
            }
        }
    }

    private static void scopesFit(Place spec, Set<String> scopes, FieldChecks checks) {
        for (String scope : List.of("BestEffort", "Terminating")) {
            if (scopes.contains(scope) && scopes.contains("Not" + scope)) {
                String shown = Json.text(spec.now().path("scopes"));
                checks.add(FieldError.invalid(spec.path() + ".scopes", shown, "conflicting scopes"));
            }
        }
    }

    /** A list of texts may change its order only. */
    private static void sameWords(Place list, FieldChecks checks) {
        if (!list.draft().isNew() && !words(list.now(), "").equals(words(list.before(), ""))) {
            checks.add(FieldError.invalid(list.path(), Json.text(list.now()), "field is immutable"));
        }
    }
}
