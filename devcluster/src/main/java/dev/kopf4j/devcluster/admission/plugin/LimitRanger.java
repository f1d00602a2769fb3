package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins.Refused;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
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
                                .flatMap(list -> spec.path(list).valueStream())
                                .map(each -> each.path("resources"))
                                .forEach(each -> problems.addAll(LimitRangeRules.check(
                                        limit, Amounts.of(each.path("requests")), Amounts.of(each.path("limits")))));
                    case "Pod" ->
                        problems.addAll(LimitRangeRules.check(
                                limit, Amounts.ofPod(spec, "requests"), Amounts.ofPod(spec, "limits")));
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
                    problems.addAll(LimitRangeRules.checkClaim(limit, requests));
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
}
