package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group apiextensions.k8s.io. */
public final class ApiExtensionsStrategies {
    private ApiExtensionsStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("customresourcedefinitions.apiextensions.k8s.io", new CrdStrategy());
    }

    /**
     * Custom resource definitions: derived names, stored versions. See {@code pkg/apis/apiextensions/v1/defaults.go}
     * and {@code pkg/registry/customresourcedefinition/strategy.go} of the apiextensions-apiserver, v1.33.
     */
    private static final class CrdStrategy implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode next = draft.next();
            ObjectNode spec = Json.child(next, "spec");
            ObjectNode names = Json.child(spec, "names");
            String kind = Json.string(names, "kind");
            if (Json.string(names, "singular").isEmpty()) {
                names.put("singular", kind.toLowerCase(Locale.ROOT));
            }
            if (Json.string(names, "listKind").isEmpty() && !kind.isEmpty()) {
                names.put("listKind", kind + "List");
            }
            if (!spec.has("conversion")) {
                spec.putObject("conversion").put("strategy", "None");
            }
            if (draft.isNew()) {
                ObjectNode status = next.putObject("status");
                status.putNull("conditions");
                status.putObject("acceptedNames").put("plural", "").put("kind", "");
            }
            storeVersion(next, spec);
        }

        /** Adds the stored version to the status, which keeps all versions that were ever stored. */
        private static void storeVersion(ObjectNode next, ObjectNode spec) {
            ObjectNode status = Json.child(next, "status");
            ArrayNode stored = status.get("storedVersions") instanceof ArrayNode present
                    ? present
                    : status.putArray("storedVersions");
            for (JsonNode version : spec.path("versions")) {
                String name = Json.string(version, "name");
                if (version.path("storage").booleanValue(false)
                        && stored.valueStream()
                                .noneMatch(each -> each.stringValue().equals(name))) {
                    stored.add(name);
                    return;
                }
            }
        }

        @Override
        public DeletionStrategy deletion() {
            return CrdDeletion.INSTANCE;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            CrdValidation.check(draft.next(), draft.before(), checks);
        }
    }

    /**
     * Deletes the objects of a custom kind before its definition: {@code Delete} in
     * {@code pkg/registry/customresourcedefinition/etcd.go} of the apiextensions-apiserver, v1.33.
     */
    private static final class CrdDeletion implements DeletionStrategy {
        static final DeletionStrategy INSTANCE = new CrdDeletion();
        private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

        private CrdDeletion() {}

        @Override
        public void begin(ObjectNode definition, Instant now, Optional<Long> wanted) {
            ObjectNode metadata = Json.child(definition, "metadata");
            metadata.put(
                    "deletionTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
            FinalizerList.add(metadata, CLEANUP);
        }
    }
}
