package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group storage.k8s.io. */
public final class StorageStrategies {
    private StorageStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "storageclasses.storage.k8s.io",
                new StorageClassStrategy(),
                "csidrivers.storage.k8s.io",
                new CsiDriverStrategy(),
                "csinodes.storage.k8s.io",
                new CsiNodeStrategy(),
                "csistoragecapacities.storage.k8s.io",
                new CsiStorageCapacityStrategy(),
                "volumeattachments.storage.k8s.io",
                new VolumeAttachmentStrategy());
    }

    /**
     * Drivers of volumes: {@code ValidateCSIDriver} and {@code ValidateCSIDriverUpdate} in
     * {@code pkg/apis/storage/validation/validation.go}, v1.33.
     */
    private static final class CsiDriverStrategy implements ResourceStrategy {
        private static final List<String> GROUP_POLICIES = List.of("File", "None", "ReadWriteOnceWithFSType");
        private static final List<String> MODES = List.of("Persistent", "Ephemeral");

        /** In seconds. */
        private static final long SHORTEST_TOKEN = 600;

        private static final long LONGEST_TOKEN = 1L << 32;

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            checks.oneOf(spec, "fsGroupPolicy", "spec", GROUP_POLICIES);
            tokens(spec.path("tokenRequests"), checks);
            for (JsonNode mode : spec.path("volumeLifecycleModes")) {
                if (!MODES.contains(mode.asString())) {
                    checks.add(FieldError.notSupported(
                            "spec.volumeLifecycleModes", FieldError.quote(mode.asString()), MODES));
                }
            }
            ObjectNode before = draft.before();
            if (before != null) {
                JsonNode former = before.path("spec");
                // The name of the field is misspelt there, too.
                checks.immutable(spec.path("attachRequired"), former.path("attachRequired"), "spec.attachedRequired");
                checks.immutable(
                        spec.path("volumeLifecycleModes"),
                        former.path("volumeLifecycleModes"),
                        "spec.volumeLifecycleModes");
            }
        }

        private static void tokens(JsonNode requests, FieldChecks checks) {
            Set<String> audiences = new HashSet<>();
            int index = 0;
            for (JsonNode request : requests) {
                String path = "spec.tokenRequests[" + index++ + "]";
                String audience = Json.string(request, "audience");
                long seconds = request.path("expirationSeconds").longValue(SHORTEST_TOKEN);
                if (!audiences.add(audience)) {
                    checks.add(FieldError.duplicate(path + ".audience", FieldError.quote(audience)));
                } else if (seconds < SHORTEST_TOKEN || seconds > LONGEST_TOKEN) {
                    checks.add(FieldError.invalid(
                            path + ".expirationSeconds",
                            String.valueOf(seconds),
                            seconds < SHORTEST_TOKEN
                                    ? "may not specify a duration less than 10 minutes"
                                    : "may not specify a duration larger than 2^32 seconds"));
                }
            }
        }
    }

    /**
     * Drivers of volumes on a node: {@code ValidateCSINode} and {@code ValidateCSINodeUpdate} in
     * {@code pkg/apis/storage/validation/validation.go}, v1.33.
     */
    private static final class CsiNodeStrategy implements ResourceStrategy {
        private static final int MAX_NODE_ID = 256;

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode drivers = draft.next().path("spec").path("drivers");
            Set<String> names = new HashSet<>();
            int index = 0;
            for (JsonNode driver : drivers) {
                String path = "spec.drivers[" + index++ + "]";
                driver(driver, path, checks);
                String name = Json.string(driver, "name");
                if (!names.add(name)) {
                    checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
                }
            }
            ObjectNode before = draft.before();
            if (before == null) {
                return;
            }
            for (JsonNode former : before.path("spec").path("drivers")) {
                for (JsonNode driver : drivers) {
                    if (Json.string(driver, "name").equals(Json.string(former, "name"))) {
                        checks.immutable(driver, former, "spec.drivers");
                    }
                }
            }
        }

        private static void driver(JsonNode driver, String path, FieldChecks checks) {
            String name = Json.string(driver, "name");
            checks.required(driver, "name", path);
            checks.problem(DnsNames.subdomain(name.toLowerCase(Locale.ROOT)), path + ".name", name);
            checks.required(driver, "nodeID", path);
            String id = Json.string(driver, "nodeID");
            if (id.length() > MAX_NODE_ID) {
                checks.problem("must be " + MAX_NODE_ID + " characters or less", path + ".nodeID", id);
            }
            checks.atLeast(driver.path("allocatable"), "count", path + ".allocatable", 0);
            Set<String> keys = new HashSet<>();
            for (JsonNode each : driver.path("topologyKeys")) {
                String key = each.asString();
                if (key.isEmpty()) {
                    checks.add(FieldError.required(path, ""));
                }
                if (!keys.add(key)) {
                    checks.add(FieldError.duplicate(path, FieldError.quote(key)));
                }
                checks.problem(LabelSyntax.key(key), path, key);
            }
        }
    }

    /**
     * How much a storage class has: {@code ValidateCSIStorageCapacity} and {@code ValidateCSIStorageCapacityUpdate} in
     * {@code pkg/apis/storage/validation/validation.go}, v1.33.
     */
    private static final class CsiStorageCapacityStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            LabelSelectorValidation.check(draft.next().path("nodeTopology"), "nodeTopology", checks);
            String name = Json.string(draft.next(), "storageClassName");
            checks.problem(DnsNames.subdomain(name), "storageClassName", name);
            for (String amount : List.of("capacity", "maximumVolumeSize")) {
                String value = Json.string(draft.next(), amount);
                if (!value.isEmpty() && Quantity.value(value).signum() < 0) {
                    checks.problem("must be greater than or equal to 0", amount, value);
                }
            }
            ObjectNode before = draft.before();
            if (before != null) {
                for (String field : List.of("nodeTopology", "storageClassName")) {
                    checks.immutable(draft.next().path(field), before.path(field), field);
                }
            }
        }
    }

    /**
     * Storage classes: {@code ValidateStorageClass} and {@code ValidateStorageClassUpdate} in
     * {@code pkg/apis/storage/validation/validation.go}, v1.33.
     */
    private static final class StorageClassStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode next = draft.next();
            String provisioner = Json.string(next, "provisioner");
            if (provisioner.isEmpty()) {
                checks.add(FieldError.required("provisioner", ""));
            } else {
                String lower = provisioner.toLowerCase(Locale.ROOT);
                checks.problem(LabelSyntax.key(lower), "provisioner", lower);
            }
            if (next.path("parameters").has("")) {
                checks.problem("field can not be empty.", "parameters", "");
            }
            word(next, "reclaimPolicy", List.of("Delete", "Retain"), checks);
            word(next, "volumeBindingMode", List.of("Immediate", "WaitForFirstConsumer"), checks);
            topologies(next.path("allowedTopologies"), checks);
            ObjectNode before = draft.before();
            if (before == null) {
                return;
            }
            for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
                if (!JsonEquality.same(before.path(field), next.path(field))) {
                    checks.add(FieldError.forbidden(field, "updates to " + field + " are forbidden."));
                }
            }
            checks.immutable(next.path("volumeBindingMode"), before.path("volumeBindingMode"), "volumeBindingMode");
        }

        private static void topologies(JsonNode topologies, FieldChecks checks) {
            for (int term = 0; term < topologies.size(); term++) {
                int index = 0;
                for (JsonNode expression : topologies.get(term).path("matchLabelExpressions")) {
                    String path = "allowedTopologies[" + term + "].matchLabelExpressions[" + index++ + "]";
                    checks.required(expression, "values", path);
                    String key = Json.string(expression, "key");
                    checks.problem(LabelSyntax.key(key), path + ".key", key);
                }
            }
        }

        private static void word(JsonNode object, String field, List<String> words, FieldChecks checks) {
            String value = Json.string(object, field);
            if (!words.contains(value)) {
                checks.add(FieldError.notSupported(field, FieldError.quote(value), words));
            }
        }
    }

    /**
     * Volumes at nodes: {@code ValidateVolumeAttachment} and {@code ValidateVolumeAttachmentUpdate} in
     * {@code pkg/apis/storage/validation/validation.go}, v1.33.
     */
    private static final class VolumeAttachmentStrategy implements ResourceStrategy {
        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels", "annotations", "finalizers", "ownerReferences");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            String attacher = Json.string(spec, "attacher");
            checks.required(spec, "attacher", "spec");
            checks.problem(DnsNames.subdomain(attacher.toLowerCase(Locale.ROOT)), "spec.attacher", attacher);
            JsonNode source = spec.path("source");
            boolean inline = source.path("inlineVolumeSpec").isObject();
            boolean named = source.has("persistentVolumeName");
            if (!inline && !named) {
                checks.add(FieldError.required(
                        "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"));
            } else if (inline && named) {
                checks.add(FieldError.forbidden(
                        "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"));
            } else if (named) {
                checks.required(source, "persistentVolumeName", "spec.source");
            }
            String node = Json.string(spec, "nodeName");
            checks.problem(DnsNames.subdomain(node), "spec.nodeName", node);
            ObjectNode before = draft.before();
            if (before != null && !draft.isStatus()) {
                checks.immutable(spec, before.path("spec"), "spec");
            }
        }
    }
}
