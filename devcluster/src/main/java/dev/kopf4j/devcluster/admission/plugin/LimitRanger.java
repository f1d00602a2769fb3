package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.plugin.Amounts.Amount;
import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins.Refused;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults and bounds of a namespace: {@code plugin/pkg/admission/limitranger/admission.go}, v1.33. Thread-safe. */
final class LimitRanger {
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";
    private final ObjectStore objectStore;

    LimitRanger(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    private Stream<ObjectNode> ranges(String namespace) {
        return objectStore.list(objectStore.bucket(Buckets.LIMIT_RANGES), namespace).objects().stream()
                .map(StoredObject::tree);
    }

    /** Gives containers the requests and limits that they lack, and says so in an annotation. */
    void setDefaults(String namespace, ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        for (ObjectNode range : ranges(namespace).toList()) {
            List<String> told = new ArrayList<>();
            for (JsonNode limit : range.path("spec").path("limits")) {
                if (Json.string(limit, "type").equals("Container")) {
                    spec.path("containers").forEach(each -> fill((ObjectNode) each, limit, "container", told));
                    spec.path("initContainers").forEach(each -> fill((ObjectNode) each, limit, "init container", told));
                }
            }
            if (!told.isEmpty()) {
                Json.child(Json.child(pod, "metadata"), "annotations")
                        .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", told));
            }
        }
    }

    private static void fill(ObjectNode container, JsonNode limit, String what, List<String> told) {
        ObjectNode resources = Json.child(container, "resources");
        // As the defaults of pods do, which come before: a limit alone is the request, too.
        fill(resources, "requests", resources.path("limits"));
        SortedSet<String> limits = fill(resources, "limits", limit.path("default"));
        SortedSet<String> requests = fill(resources, "requests", limit.path("defaultRequest"));
        String name = " for " + what + " " + Json.string(container, "name");
        if (!requests.isEmpty()) {
            told.add(String.join(", ", requests) + " request" + name);
        }
        if (!limits.isEmpty()) {
            told.add(String.join(", ", limits) + " limit" + name);
        }
    }

    private static SortedSet<String> fill(ObjectNode resources, String field, JsonNode amounts) {
        SortedSet<String> set = new TreeSet<>();
        for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
            ObjectNode target = Json.child(resources, field);
            if (!target.has(amount.getKey())) {
                target.set(amount.getKey(), amount.getValue());
                set.add(amount.getKey());
            }
        }
        return set;
    }

    void validatePod(String namespace, ObjectNode pod) throws Refused {
        JsonNode spec = pod.path("spec");
        for (ObjectNode range : ranges(namespace).toList()) {
            List<String> problems = new ArrayList<>();
            for (JsonNode limit : range.path("spec").path("limits")) {
                switch (Json.string(limit, "type")) {
                    case "Container" ->
                        Stream.of("containers", "initContainers")
                                .flatMap(list -> Json.items(spec, list))
                                .map(each -> each.path("resources"))
                                .forEach(each -> problems.addAll(checkBounds(
                                        limit, Amounts.of(each.path("requests")), Amounts.of(each.path("limits")))));
                    case "Pod" ->
                        problems.addAll(
                                checkBounds(limit, Amounts.ofPod(spec, "requests"), Amounts.ofPod(spec, "limits")));
                    default -> {} // of something else
                }
            }
            refuse(problems);
        }
    }

    void validateClaim(String namespace, ObjectNode claim) throws Refused {
        Amounts requests = Amounts.of(claim.path("spec").path("resources").path("requests"));
        for (ObjectNode range : ranges(namespace).toList()) {
            List<String> problems = new ArrayList<>();
            for (JsonNode limit : range.path("spec").path("limits")) {
                if (Json.string(limit, "type").equals("PersistentVolumeClaim")) {
                    problems.addAll(checkClaim(limit, requests));
                }
            }
            refuse(problems);
        }
    }

    /** As {@code NewAggregate} joins errors. */
    private static void refuse(List<String> problems) throws Refused {
        if (!problems.isEmpty()) {
            throw new Refused(problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]");
        }
    }

    private interface Rule {
        Optional<String> check(String name, String bound, BigDecimal value);
    }

    /**
     * What is wrong with the requests and limits of a container or a pod, by the bounds of one entry of a limit range:
     * {@code minConstraint}, {@code maxConstraint} and {@code limitRequestRatioConstraint} in
     * {@code plugin/pkg/admission/limitranger/admission.go}, v1.33.
     */
    private static List<String> checkBounds(JsonNode limit, Amounts requests, Amounts limits) {
        String type = " per " + Json.string(limit, "type") + " is ";
        List<String> problems = new ArrayList<>();
        each(
                limit.path("min"),
                problems,
                (name, bound, value) -> least(
                        "minimum " + name + " usage" + type + bound, value, requests.get(name), limits.get(name)));
        each(
                limit.path("max"),
                problems,
                (name, bound, value) ->
                        most("maximum " + name + " usage" + type + bound, value, requests.get(name), limits.get(name)));
        each(
                limit.path("maxLimitRequestRatio"),
                problems,
                (name, bound, value) -> ratio(
                        name + " max limit to request ratio" + type + bound,
                        value,
                        requests.get(name),
                        limits.get(name)));
        return problems;
    }

    /** What is wrong with the requests of a claim. */
    private static List<String> checkClaim(JsonNode limit, Amounts requests) {
        String type = " per " + Json.string(limit, "type") + " is ";
        List<String> problems = new ArrayList<>();
        each(
                limit.path("min"),
                problems,
                (name, bound, value) -> least(
                        "minimum " + name + " usage" + type + bound, value, requests.get(name), Optional.empty()));
        each(
                limit.path("max"),
                problems,
                (name, bound, value) -> requests.get(name)
                        .filter(request -> request.value().compareTo(value) > 0)
                        .map(request -> "maximum " + name + " usage" + type + bound + ", but request is " + request));
        return problems;
    }

    private static void each(JsonNode bounds, List<String> problems, Rule rule) {
        TreeMap<String, String> sorted = new TreeMap<>();
        bounds.properties()
                .forEach(each -> sorted.put(each.getKey(), each.getValue().asString("0")));
        sorted.forEach((name, bound) -> rule.check(name, Quantity.canonical(bound), Quantity.value(bound))
                .ifPresent(problems::add));
    }

    private static Optional<String> least(
            String words, BigDecimal least, Optional<Amount> request, Optional<Amount> limit) {
        if (request.isEmpty()) {
            return Optional.of(words + ".  No request is specified");
        }
        if (request.get().value().compareTo(least) < 0) {
            return Optional.of(words + ", but request is " + request.get());
        }
        return limit.filter(value -> value.value().compareTo(least) < 0)
                .map(value -> words + ", but limit is " + value);
    }

    private static Optional<String> most(
            String words, BigDecimal most, Optional<Amount> request, Optional<Amount> limit) {
        if (limit.isEmpty()) {
            return Optional.of(words + ".  No limit is specified");
        }
        if (limit.get().value().compareTo(most) > 0) {
            return Optional.of(words + ", but limit is " + limit.get());
        }
        return request.filter(value -> value.value().compareTo(most) > 0)
                .map(value -> words + ", but request is " + value);
    }

    private static Optional<String> ratio(
            String words, BigDecimal most, Optional<Amount> request, Optional<Amount> limit) {
        if (request.isEmpty() || request.get().value().signum() == 0) {
            return Optional.of(words + ", but no request is specified or request is 0");
        }
        if (limit.isEmpty() || limit.get().value().signum() == 0) {
            return Optional.of(words + ", but no limit is specified or limit is 0");
        }
        BigDecimal ratio = limit.get().value().divide(request.get().value(), MathContext.DECIMAL64);
        return ratio.compareTo(most) > 0
                ? Optional.of(words + String.format(Locale.ROOT, ", but provided ratio is %f", ratio))
                : Optional.empty();
    }
}
