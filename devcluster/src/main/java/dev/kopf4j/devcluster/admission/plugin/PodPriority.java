package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins.Refused;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The priority of pods, by their class: {@code plugin/pkg/admission/priority/admission.go}, v1.33. Thread-safe. */
final class PodPriority {
    private static final String USUAL_POLICY = "PreemptLowerPriority";
    private final ObjectStore objectStore;

    PodPriority(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    void set(ObjectNode pod) throws Refused {
        ObjectNode spec = Json.child(pod, "spec");
        String name = Json.string(spec, "priorityClassName");
        Optional<ObjectNode> found = name.isEmpty() ? defaultClass() : Optional.of(named(name));
        found.ifPresent(each -> spec.put("priorityClassName", Json.string(each, "metadata", "name")));
        long priority = found.map(each -> each.path("value").longValue(0)).orElse(0L);
        long given = spec.path("priority").longValue(priority);
        if (given != priority) {
            throw new Refused("the integer value of priority (" + given + ") must not be provided in pod spec; priority"
                    + " admission controller computed " + priority + " from the given PriorityClass name");
        }
        spec.put("priority", priority);
        String policy = found.map(each -> Json.string(each, "preemptionPolicy"))
                .filter(each -> !each.isEmpty())
                .orElse(USUAL_POLICY);
        String wanted = Json.string(spec, "preemptionPolicy");
        if (!wanted.isEmpty() && !wanted.equals(policy)) {
            throw new Refused("the string value of PreemptionPolicy (" + wanted + ") must not be provided in pod spec;"
                    + " priority admission controller computed " + policy + " from the given PriorityClass name");
        }
        spec.put("preemptionPolicy", policy);
    }

    private ObjectNode named(String name) throws Refused {
        StoredObject found = objectStore.bucket(Buckets.PRIORITY_CLASSES).get("", name);
        if (found == null) {
            throw new Refused("no PriorityClass with name " + name + " was found");
        }
        return found.tree();
    }

    /** The one with the lowest value, should several be the default. */
    private Optional<ObjectNode> defaultClass() {
        return objectStore.list(objectStore.bucket(Buckets.PRIORITY_CLASSES), "").objects().stream()
                .map(StoredObject::tree)
                .filter(each -> each.path("globalDefault").booleanValue(false))
                .min(Comparator.comparingLong(each -> each.path("value").longValue(0)));
    }

    void validateDefault(ObjectNode priorityClass) throws Refused {
        if (!priorityClass.path("globalDefault").booleanValue(false)) {
            return;
        }
        String name = Json.string(priorityClass, "metadata", "name");
        Optional<String> other = defaultClass()
                .map(each -> Json.string(each, "metadata", "name"))
                .filter(each -> !each.equals(name));
        if (other.isPresent()) {
            throw new Refused(
                    "PriorityClass " + other.get() + " is already marked as default. Only one default can exist");
        }
    }
}
