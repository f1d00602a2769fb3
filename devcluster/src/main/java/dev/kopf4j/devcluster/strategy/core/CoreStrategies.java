package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.core.service.ServiceStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeClaimStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the core group, and of events.k8s.io, which shows the same events. */
public final class CoreStrategies {
    private CoreStrategies() {}

    /**
     * The strategies of one server, by the qualified names of resources.
     *
     * @param unboundClaimsGrow whether claims may grow before they are bound
     * @param objectStore holds the services whose addresses and ports are in use
     */
    public static Map<String, ResourceStrategy> all(boolean unboundClaimsGrow, ObjectStore objectStore) {
        return Map.ofEntries(
                Map.entry("configmaps", new ConfigStrategies.ConfigMapStrategy()),
                Map.entry("endpoints", new EndpointsStrategy()),
                Map.entry("events", new EventStrategies.EventStrategy()),
                Map.entry("events.events.k8s.io", new EventStrategies.EventsV1Strategy()),
                Map.entry("limitranges", new LimitRangeStrategy()),
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("nodes", new NodeStrategy()),
                Map.entry("persistentvolumeclaims", new PersistentVolumeClaimStrategy(unboundClaimsGrow)),
                Map.entry("persistentvolumes", new PersistentVolumeStrategy()),
                Map.entry("pods", new PodStrategy()),
                Map.entry("podtemplates", new PodTemplateStrategy()),
                Map.entry("replicationcontrollers", new ReplicationControllerStrategy()),
                Map.entry("resourcequotas", new ResourceQuotaStrategy()),
                Map.entry("secrets", new ConfigStrategies.SecretStrategy()),
                Map.entry("services", new ServiceStrategy(objectStore)));
    }

    /** Pod templates: {@code ValidatePodTemplate} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static final class PodTemplateStrategy implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            PodSpecDefaults.prepareTemplate(draft.next(), "template");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode labels = draft.next().path("template").path("metadata").path("labels");
            LabelSelectorValidation.labels(labels, "template.labels", checks);
            PodSpecValidation.check(draft.next().path("template").path("spec"), "template.spec", checks);
        }
    }

    /**
     * Endpoints: {@code ValidateEndpoints} in {@code pkg/apis/core/validation/validation.go}, v1.33. An update that
     * leaves the subsets as they are is not checked.
     */
    private static final class EndpointsStrategy implements ResourceStrategy {
        private static final int MAX_PORT = 65535;
        private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode subsets = draft.next().path("subsets");
            ObjectNode before = draft.before();
            if (before != null && JsonEquality.same(before.path("subsets"), subsets)) {
                return;
            }
            for (int index = 0; index < subsets.size(); index++) {
                subset(subsets.get(index), "subsets[" + index + "]", checks);
            }
        }

        private static void subset(JsonNode subset, String path, FieldChecks checks) {
            if (subset.path("addresses").isEmpty()
                    && subset.path("notReadyAddresses").isEmpty()) {
                checks.add(FieldError.required(path, "must specify `addresses` or `notReadyAddresses`"));
            }
            for (String list : List.of("addresses", "notReadyAddresses")) {
                int index = 0;
                for (JsonNode address : subset.path(list)) {
                    address(address, path + "." + list + "[" + index++ + "]", checks);
                }
            }
            int index = 0;
            for (JsonNode port : subset.path("ports")) {
                port(port, subset.path("ports").size() > 1, path + ".ports[" + index++ + "]", checks);
            }
        }

        private static void address(JsonNode address, String path, FieldChecks checks) {
            String host = Json.string(address, "hostname");
            if (!host.isEmpty()) {
                checks.problem(DnsNames.label(host), path + ".hostname", host);
            }
            if (address.has("nodeName")) {
                String node = Json.string(address, "nodeName");
                checks.problem(DnsNames.subdomain(node), path + ".nodeName", node);
            }
            String text = Json.string(address, "ip");
            InetAddress ip = IpAddresses.parse(text).orElse(null);
            checks.problem(ip == null ? "must be a valid IP address" : reserved(ip, text), path + ".ip", text);
        }

        private static String reserved(InetAddress ip, String text) {
            if (ip.isAnyLocalAddress()) {
                return "may not be unspecified (" + text + ")";
            }
            if (ip.isLoopbackAddress()) {
                return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
            }
            if (ip.isLinkLocalAddress()) {
                return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
            }
            return ip.isMCLinkLocal() ? "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)" : "";
        }

        private static void port(JsonNode port, boolean named, String path, FieldChecks checks) {
            String name = Json.string(port, "name");
            if (!name.isEmpty()) {
                checks.problem(DnsNames.label(name), path + ".name", name);
            } else if (named) {
                checks.add(FieldError.required(path + ".name", ""));
            }
            long number = port.path("port").longValue(0);
            if (number < 1 || number > MAX_PORT) {
                checks.add(FieldError.invalid(
                        path + ".port", String.valueOf(number), "must be between 1 and 65535, inclusive"));
            }
            checks.oneOf(port, "protocol", path, PROTOCOLS);
        }
    }

    /**
     * Namespaces: the label with their name (KEP-2161), the finalizer that holds them until they are empty, the phase.
     * See {@code pkg/registry/core/namespace/strategy.go}, and {@code validateFinalizerName} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static final class NamespaceStrategy implements ResourceStrategy {
        private static final String LABEL = "kubernetes.io/metadata.name";
        private static final String FINALIZER = "kubernetes";

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode metadata = Json.child(draft.next(), "metadata");
            Json.child(metadata, "labels").put(LABEL, Json.string(metadata, "name"));
            if (draft.isNew()) {
                Json.child(draft.next(), "status").put("phase", "Active");
                FinalizerList.add(Json.child(draft.next(), "spec"), FINALIZER);
            }
        }

        /** The finalizers of the spec are written through the endpoint {@code finalize} only. */
        @Override
        public Set<String> resetFields(String subresource) {
            return subresource.equals("finalize") ? Set.of("status") : Set.of("status", "spec");
        }

        @Override
        public DeletionStrategy deletion() {
            return NamespaceDeletion.INSTANCE;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            for (JsonNode finalizer : draft.next().path("spec").path("finalizers")) {
                String name = finalizer.stringValue();
                if (!name.contains("/") && !name.equals(FINALIZER)) {
                    checks.problem(
                            "name is neither a standard finalizer name nor is it fully qualified",
                            "spec.finalizers",
                            name);
                }
            }
        }

        /**
         * Deletes namespaces after all objects in them: the finalizers in their spec keep them until then. See
         * {@code Delete} in {@code pkg/registry/core/namespace/storage/storage.go}, v1.33.
         */
        private static final class NamespaceDeletion implements DeletionStrategy {
            static final DeletionStrategy INSTANCE = new NamespaceDeletion();

            /**
             * {@code NewLifecycle} in {@code pkg/admission/plugin/namespace/lifecycle/admission.go} of the apiserver
             * library.
             */
            private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

            private NamespaceDeletion() {}

            @Override
            public String refusal(String name) {
                return IMMORTAL.contains(name) ? "this namespace may not be deleted" : "";
            }

            @Override
            public void begin(ObjectNode namespace, Instant now, Optional<Long> wanted) {
                String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
                Json.child(namespace, "metadata").put("deletionTimestamp", time);
                Json.child(namespace, "status").put("phase", "Terminating");
            }

            @Override
            public boolean released(ObjectNode namespace) {
                return DeletionStrategy.super.released(namespace)
                        && namespace.path("spec").path("finalizers").isEmpty();
            }
        }
    }

    /**
     * Replication controllers: selector and labels come from the template if they are missing
     * ({@code SetDefaults_ReplicationController} in {@code pkg/apis/core/v1/defaults.go});
     * {@code ValidateReplicationController} in {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static final class ReplicationControllerStrategy implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            ObjectNode metadata = Json.child(draft.next(), "metadata");
            if (spec.path("template").isObject()) {
                PodSpecDefaults.prepareTemplate(spec, "template");
            }
            JsonNode labels = labels(spec);
            if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }

        private static JsonNode labels(JsonNode spec) {
            return spec.path("template").path("metadata").path("labels");
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
            warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
            return warnings;
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "replicas", "spec", 0);
            checks.atLeast(spec, "minReadySeconds", "spec", 0);
            JsonNode labels = labels(spec);
            if (spec.path("selector").isEmpty()) {
                checks.add(FieldError.required("spec.selector", ""));
            }
            if (!spec.path("template").isObject()) {
                checks.add(FieldError.required("spec.template", ""));
                return;
            }
            if (!spec.path("selector").isEmpty() && !selects(spec.path("selector"), labels)) {
                checks.add(FieldError.invalid(
                        "spec.template.metadata.labels",
                        Json.text(labels.isMissingNode() ? Json.object() : labels),
                        "`selector` does not match template `labels`"));
            }
            JsonNode pod = spec.path("template").path("spec");
            PodSpecValidation.check(pod, "spec.template.spec", checks);
            String restart = Json.string(pod, "restartPolicy");
            if (List.of("OnFailure", "Never").contains(restart)) {
                checks.add(FieldError.notSupported(
                        "spec.template.spec.restartPolicy", FieldError.quote(restart), List.of("Always")));
            }
        }

        private static boolean selects(JsonNode labelsWanted, JsonNode labels) {
            ObjectNode selector = Json.object();
            selector.set("matchLabels", labelsWanted.isObject() ? labelsWanted : Json.object());
            return LabelSelector.of(selector).matches(labels);
        }
    }
}
