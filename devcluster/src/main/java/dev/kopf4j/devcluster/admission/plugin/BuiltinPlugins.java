package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins.Refused;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.JsonEquality;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the built-in admission plugins LimitRanger, Priority, RuntimeClass and, for volumes, ServiceAccount
 * ({@code plugin/pkg/admission}, v1.33) for new objects. Thread-safe.
 */
public final class BuiltinPlugins {
    private static final Plugin NONE = new Plugin() {};
    private final LimitRanger limitRanger;
    private final PodPriority podPriority;
    private final PodRuntimeClass podRuntimeClass;
    private final ClaimResize claimResize;
    private final QuotaAccounting quotas;
    private final Optional<TokenVolume> tokenVolume;
    private final Map<String, Plugin> byBucket;

    /**
     * Finds what they look at in a store.
     *
     * @param claimsGrowAnyhow whether claims may grow although they are not bound, or their class does not let them
     * @param names makes a name that begins with a text, for volumes with tokens; empty if pods get none
     */
    public BuiltinPlugins(ObjectStore objectStore, boolean claimsGrowAnyhow, Optional<UnaryOperator<String>> names) {
        this.tokenVolume = names.map(each -> new TokenVolume(objectStore, each));
        this.claimResize = new ClaimResize(objectStore, claimsGrowAnyhow);
        this.quotas = new QuotaAccounting(objectStore);
        this.limitRanger = new LimitRanger(objectStore);
        this.podPriority = new PodPriority(objectStore);
        this.podRuntimeClass = new PodRuntimeClass(objectStore);
        this.byBucket = Map.of(
                Buckets.PODS, new PodPlugins(),
                Buckets.PERSISTENT_VOLUME_CLAIMS, new ClaimPlugins(),
                Buckets.PRIORITY_CLASSES, new PriorityClassPlugin());
    }

    /** A plugin refuses an operation; the message is that for the client. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /** What is done about the objects of a resource. */
    private interface Plugin {
        default void mutateNew(String namespace, ObjectNode object) throws Refused {}

        default void validateNew(String namespace, ObjectNode object) throws Refused {}

        default void validateChange(ObjectNode before, ObjectNode object) throws Refused {}

        /** New objects and changed ones. */
        default void validate(ObjectNode object) throws Refused {}
    }

    private final class PodPlugins implements Plugin {
        @Override
        public void mutateNew(String namespace, ObjectNode object) throws Refused {
            limitRanger.setDefaults(namespace, object);
            podPriority.set(object);
            podRuntimeClass.set(object);
            tokenVolume.ifPresent(volume -> volume.mount(namespace, object));
        }

        @Override
        public void validateNew(String namespace, ObjectNode object) throws Refused {
            podRuntimeClass.validate(object);
            limitRanger.validatePod(namespace, object);
        }
    }

    private final class ClaimPlugins implements Plugin {
        @Override
        public void validateNew(String namespace, ObjectNode object) throws Refused {
            limitRanger.validateClaim(namespace, object);
        }

        @Override
        public void validateChange(ObjectNode before, ObjectNode object) throws Refused {
            claimResize.validate(before, object);
        }
    }

    private final class PriorityClassPlugin implements Plugin {
        @Override
        public void validate(ObjectNode object) throws Refused {
            podPriority.validateDefault(object);
        }
    }

    /** Sets what follows from other objects; once more makes no difference. */
    public void mutate(AdmissionAttributes creation, ObjectNode object) {
        run(creation, () -> of(creation).mutateNew(creation.namespace(), object));
    }

    /** Refuses a new object that other objects do not allow. */
    public void validateNew(AdmissionAttributes creation, ObjectNode object) {
        Plugin plugin = of(creation);
        run(creation, () -> plugin.validateNew(creation.namespace(), object));
        run(creation, () -> plugin.validate(object));
    }

    /** Refuses a changed one. */
    public void validate(AdmissionAttributes update, ObjectNode before, ObjectNode object) {
        Plugin plugin = of(update);
        run(update, () -> plugin.validateChange(before, object));
        run(update, () -> plugin.validate(object));
    }

    /** Whether there are quotas in any namespace. */
    public boolean haveQuotas() {
        return quotas.exist();
    }

    /** Counts a new or changed object in the quotas of its namespace, as the last of all plugins; may refuse it. */
    public void charge(AdmissionAttributes operation, @Nullable ObjectNode before, ObjectNode object, boolean dryRun) {
        if (operation.subresource().isEmpty()) {
            run(operation, () -> quotas.charge(operation.resource(), operation.namespace(), before, object, dryRun));
        }
    }

    private Plugin of(AdmissionAttributes operation) {
        return operation.subresource().isEmpty()
                ? byBucket.getOrDefault(operation.resource().bucket(), NONE)
                : NONE;
    }

    /** What a plugin does about an operation. */
    private interface Step {
        void run() throws Refused;
    }

    private static void run(AdmissionAttributes operation, Step step) {
        try {
            step.run();
        } catch (Refused e) {
            throw ApiException.forbidden(
                    operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
        }
    }

    /**
     * Lets only those claims grow whose storage class allows it: the admission plugin PersistentVolumeClaimResize
     * ({@code plugin/pkg/admission/storage/persistentvolume/resize/admission.go}, v1.33). Thread-safe.
     */
    private static final class ClaimResize {
        private static final String CLASSES = "storage.k8s.io/storageclasses";
        private static final String LEGACY_CLASS = "volume.beta.kubernetes.io/storage-class";
        private final ObjectStore objectStore;
        private final boolean anyhow;

        ClaimResize(ObjectStore objectStore, boolean anyhow) {
            this.objectStore = objectStore;
            this.anyhow = anyhow;
        }

        void validate(ObjectNode before, ObjectNode claim) throws BuiltinPlugins.Refused {
            String former = size(before);
            String wanted = size(claim);
            boolean grows = !wanted.isEmpty()
                    && (former.isEmpty() || Quantity.value(wanted).compareTo(Quantity.value(former)) > 0);
            if (anyhow || !grows) {
                return;
            }
            if (!Json.string(before, "status", "phase").equals("Bound")) {
                throw new BuiltinPlugins.Refused("Only bound persistent volume claims can be expanded");
            }
            String name = className(claim);
            StoredObject storageClass = objectStore.bucket(CLASSES).get("", name);
            boolean allowed = storageClass != null
                    && name.equals(className(before))
                    && storageClass.tree().path("allowVolumeExpansion").booleanValue(false);
            if (!allowed) {
                throw new BuiltinPlugins.Refused(
                        "only dynamically provisioned pvc can be resized and the storageclass that"
                                + " provisions the pvc must support resize");
            }
        }

        private static String size(JsonNode claim) {
            return Json.string(claim, "spec", "resources", "requests", "storage");
        }

        private static String className(JsonNode claim) {
            String legacy = Json.string(claim.path("metadata").path("annotations"), LEGACY_CLASS);
            return legacy.isEmpty() ? Json.string(claim, "spec", "storageClassName") : legacy;
        }
    }

    /** The priority of pods, by their class: {@code plugin/pkg/admission/priority/admission.go}, v1.33. Thread-safe. */
    private static final class PodPriority {
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
                throw new Refused(
                        "the integer value of priority (" + given + ") must not be provided in pod spec; priority"
                                + " admission controller computed " + priority + " from the given PriorityClass name");
            }
            spec.put("priority", priority);
            String policy = found.map(each -> Json.string(each, "preemptionPolicy"))
                    .filter(each -> !each.isEmpty())
                    .orElse(USUAL_POLICY);
            String wanted = Json.string(spec, "preemptionPolicy");
            if (!wanted.isEmpty() && !wanted.equals(policy)) {
                throw new Refused("the string value of PreemptionPolicy (" + wanted
                        + ") must not be provided in pod spec;" + " priority admission controller computed " + policy
                        + " from the given PriorityClass name");
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

    /**
     * The volume with the token of a pod's service account: {@code mountServiceAccountToken} in
     * {@code plugin/pkg/admission/serviceaccount/admission.go}, v1.33. Thread-safe.
     */
    private static final class TokenVolume {
        private static final String PREFIX = "kube-api-access-";
        private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
        private static final ObjectNode VOLUME = (ObjectNode) Json.parse("""
                {"name": "$name", "projected": {"defaultMode": 420, "sources": [
                  {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
                  {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
                  {"downwardAPI": {"items": [
                    {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}]}}
                """);
        private final ObjectStore objectStore;
        private final UnaryOperator<String> names;

        TokenVolume(ObjectStore objectStore, UnaryOperator<String> names) {
            this.objectStore = objectStore;
            this.names = names;
        }

        void mount(String namespace, ObjectNode pod) {
            ObjectNode spec = Json.child(pod, "spec");
            if (!isWanted(namespace, spec)) {
                return;
            }
            String name = "";
            for (String field : List.of("initContainers", "containers")) {
                for (JsonNode container : spec.path(field)) {
                    boolean mounted = Json.items(container, "volumeMounts")
                            .anyMatch(mount -> Json.string(mount, "mountPath").equals(PATH));
                    if (!mounted) {
                        name = name.isEmpty() ? volume(spec) : name;
                        Json.list((ObjectNode) container, "volumeMounts")
                                .addObject()
                                .put("name", name)
                                .put("readOnly", true)
                                .put("mountPath", PATH);
                    }
                }
            }
        }

        private boolean isWanted(String namespace, JsonNode spec) {
            String account = Json.string(spec, "serviceAccountName");
            StoredObject found = objectStore
                    .bucket(Buckets.SERVICE_ACCOUNTS)
                    .get(namespace, account.isEmpty() ? "default" : account);
            boolean byAccount = found == null
                    || found.tree().path("automountServiceAccountToken").booleanValue(true);
            return spec.path("automountServiceAccountToken").booleanValue(byAccount);
        }

        /** The name of the volume, which is added unless it is there. */
        private String volume(ObjectNode spec) {
            Optional<String> there = Json.items(spec, "volumes")
                    .map(volume -> Json.string(volume, "name"))
                    .filter(name -> name.startsWith(PREFIX))
                    .findFirst();
            if (there.isPresent()) {
                return there.get();
            }
            String name = names.apply(PREFIX);
            Json.list(spec, "volumes").add(Json.filled(VOLUME, Map.of("name", name)));
            return name;
        }
    }

    /** What follows from a pod's runtime class: {@code plugin/pkg/admission/runtimeclass/admission.go}, v1.33. */
    private static final class PodRuntimeClass {
        private final ObjectStore objectStore;

        PodRuntimeClass(ObjectStore objectStore) {
            this.objectStore = objectStore;
        }

        private Optional<ObjectNode> of(ObjectNode pod) throws Refused {
            String name = Json.string(pod, "spec", "runtimeClassName");
            if (name.isEmpty()) {
                return Optional.empty();
            }
            StoredObject found = objectStore.bucket(Buckets.RUNTIME_CLASSES).get("", name);
            if (found == null) {
                throw new Refused("pod rejected: RuntimeClass \"" + name + "\" not found");
            }
            return Optional.of(found.tree());
        }

        void set(ObjectNode pod) throws Refused {
            Optional<ObjectNode> runtimeClass = of(pod);
            if (runtimeClass.isEmpty()) {
                return;
            }
            ObjectNode spec = Json.child(pod, "spec");
            overhead(spec, runtimeClass.get().path("overhead").path("podFixed"));
            JsonNode scheduling = runtimeClass.get().path("scheduling");
            nodeSelector(spec, scheduling.path("nodeSelector"));
            for (JsonNode toleration : scheduling.path("tolerations")) {
                ArrayNode tolerations = Json.list(spec, "tolerations");
                if (tolerations.valueStream().noneMatch(each -> JsonEquality.same(each, toleration))) {
                    tolerations.add(toleration.deepCopy());
                }
            }
        }

        private static void overhead(ObjectNode spec, JsonNode fixed) throws Refused {
            if (fixed.isEmpty()) {
                return;
            }
            if (!spec.path("overhead").isEmpty() && !JsonEquality.same(spec.path("overhead"), fixed)) {
                throw new Refused("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
            }
            spec.set("overhead", fixed.deepCopy());
        }

        private static void nodeSelector(ObjectNode spec, JsonNode wanted) throws Refused {
            for (Map.Entry<String, JsonNode> label : wanted.properties()) {
                ObjectNode selector = Json.child(spec, "nodeSelector");
                String key = label.getKey();
                String value = label.getValue().asString("");
                String given = Json.string(selector, key);
                if (selector.has(key) && !given.equals(value)) {
                    throw new Refused("conflict: runtimeClass.scheduling.nodeSelector[" + key + "] = " + value
                            + "; pod.spec.nodeSelector[" + key + "] = " + given);
                }
                selector.put(key, value);
            }
        }

        void validate(ObjectNode pod) throws Refused {
            boolean defined = of(pod).map(
                            each -> !each.path("overhead").path("podFixed").isEmpty())
                    .orElse(false);
            if (!defined && !pod.path("spec").path("overhead").isEmpty()) {
                throw new Refused("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
            }
        }
    }
}
