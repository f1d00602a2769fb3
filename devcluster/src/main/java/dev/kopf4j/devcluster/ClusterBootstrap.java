package dev.kopf4j.devcluster;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authorization.BootstrapRoles;
import dev.kopf4j.devcluster.controller.CertificateSigner;
import dev.kopf4j.devcluster.controller.EventExpiry;
import dev.kopf4j.devcluster.controller.GarbageCollector;
import dev.kopf4j.devcluster.controller.NamespaceController;
import dev.kopf4j.devcluster.controller.ObjectPerNamespace;
import dev.kopf4j.devcluster.controller.TokenSecretController;
import dev.kopf4j.devcluster.controller.VolumeProtectionController;
import dev.kopf4j.devcluster.controller.apiextensions.CrdController;
import dev.kopf4j.devcluster.controller.quota.ResourceQuotaController;
import dev.kopf4j.devcluster.controller.workload.WorkloadSimulation;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.core.service.ServiceStrategy;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates what each cluster begins with: controllers, namespaces, roles. */
final class ClusterBootstrap {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private static final String LOOPBACK = "127.0.0.1";
    private final ServerContext state;
    private final ControllerClient client;

    ClusterBootstrap(ServerContext state, ControllerClient client) {
        this.state = state;
        this.client = client;
    }

    /**
     * Starts the controllers, and creates what is missing.
     *
     * @param tokens issues those of service accounts
     * @param authority gives the authority that clients trust, if there is one
     * @param port the port on loopback that they connect to
     */
    void start(
            Options options,
            ServiceAccountTokens tokens,
            Supplier<Optional<CertificateAuthority>> authority,
            int port) {
        Supplier<String> trusted =
                () -> authority.get().map(CertificateAuthority::certificatePem).orElse("");
        new CrdController(state).start();
        new NamespaceController(state, client).start();
        new GarbageCollector(state, client, options.foreignOwners()).start();
        new VolumeProtectionController(state).start();
        new EventExpiry(state).start();
        NAMESPACES.forEach(this::installNamespace);
        installPriorityClass(
                "system-node-critical",
                2_000_001_000,
                "Used for system critical pods that must not be moved from their current node.");
        installPriorityClass(
                "system-cluster-critical",
                2_000_000_000,
                "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.");
        new SystemObjects(state).install();
        if (options.kubernetesVersion().isAtLeast(KubernetesVersion.V1_33)) { // before, its feature was off
            installServiceRange();
        }
        installService(port);
        if (options.rbac()) {
            BootstrapRoles.load().forEach(this::install);
        }
        options.workloads().ifPresent(delay -> {
            new WorkloadSimulation(state, client, delay, options.nodes(), options.kubernetesVersion()).start();
            new ResourceQuotaController(state).start();
        });
        ObjectPerNamespace.defaultServiceAccount(state, client).start();
        if (options.rootCertificate()) {
            ObjectPerNamespace.rootCertificate(state, client, trusted.get()).start();
        }
        new TokenSecretController(state, client, tokens, trusted).start();
        new CertificateSigner(state, authority).start();
    }

    private void installNamespace(String name) {
        ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        install(namespace);
    }

    /** {@code SystemPriorityClasses} in {@code pkg/apis/scheduling/v1/helpers.go}, v1.33. */
    private void installPriorityClass(String name, int value, String description) {
        ObjectNode priorityClass =
                Json.object().put("apiVersion", "scheduling.k8s.io/v1").put("kind", "PriorityClass");
        priorityClass.putObject("metadata").put("name", name);
        install(priorityClass.put("value", value).put("description", description));
    }

    /** {@code pkg/controlplane/controller/defaultservicecidr} of Kubernetes, v1.33. */
    private void installServiceRange() {
        ResourceBucket bucket = state.objectStore().bucket("networking.k8s.io/servicecidrs");
        if (bucket.get("", "kubernetes") != null) {
            return;
        }
        ObjectNode range = Json.object();
        range.putObject("metadata")
                .put("name", "kubernetes")
                .put("uid", state.nameGenerator().uid())
                .put("creationTimestamp", state.now());
        range.putObject("spec").putArray("cidrs").add(ServiceStrategy.ADDRESSES);
        range.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("lastTransitionTime", state.now())
                .put("reason", "")
                .put("message", "Kubernetes default Service CIDR is ready");
        state.objectStore().create(bucket, StoredObject.of(range));
    }

    /**
     * The Service {@code kubernetes} and where it leads: {@code pkg/controlplane/controller/kubernetesservice} and
     * {@code pkg/controlplane/reconcilers} of Kubernetes, v1.33. The address is loopback, which clients may not write.
     */
    private void installService(int port) {
        ObjectNode service = Json.object().put("apiVersion", "v1").put("kind", "Service");
        service.putObject("metadata")
                .put("name", "kubernetes")
                .put("namespace", "default")
                .putObject("labels")
                .put("component", "apiserver")
                .put("provider", "kubernetes");
        ObjectNode spec = service.putObject("spec").put("clusterIP", ServiceStrategy.FIRST_ADDRESS);
        spec.putArray("ports")
                .addObject()
                .put("name", "https")
                .put("port", 443)
                .put("protocol", "TCP")
                .put("targetPort", port);
        install(service);
        replace("services", present -> ((ObjectNode) present.at("/spec/ports/0")).put("targetPort", port));
        ObjectNode endpoints = Json.object();
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        subset.putArray("addresses").addObject().put("ip", LOOPBACK);
        subset.putArray("ports")
                .addObject()
                .put("name", "https")
                .put("port", port)
                .put("protocol", "TCP");
        store("endpoints", "endpointslice.kubernetes.io/skip-mirror", "true", endpoints);
        ObjectNode slice = Json.object().put("addressType", "IPv4");
        ObjectNode endpoint = slice.putArray("endpoints").addObject();
        endpoint.putArray("addresses").add(LOOPBACK);
        endpoint.putObject("conditions").put("ready", true);
        slice.putArray("ports")
                .addObject()
                .put("name", "https")
                .put("port", port)
                .put("protocol", "TCP");
        store("discovery.k8s.io/endpointslices", "kubernetes.io/service-name", "kubernetes", slice);
    }

    private void store(String id, String label, String value, ObjectNode content) {
        ResourceBucket bucket = state.objectStore().bucket(id);
        if (bucket.get("default", "kubernetes") == null) {
            ObjectNode object = Json.object();
            object.putObject("metadata")
                    .put("name", "kubernetes")
                    .put("namespace", "default")
                    .put("uid", state.nameGenerator().uid())
                    .put("creationTimestamp", state.now())
                    .putObject("labels")
                    .put(label, value);
            object.setAll(content);
            state.objectStore().create(bucket, StoredObject.of(object));
        } else {
            replace(id, present -> present.setAll(content));
        }
    }

    /** What is stored may name the port of the last start. */
    private void replace(String id, Consumer<ObjectNode> edit) {
        ResourceBucket bucket = state.objectStore().bucket(id);
        StoredObject present = bucket.get("default", "kubernetes");
        if (present != null) {
            ObjectNode object = present.tree().deepCopy();
            edit.accept(object);
            if (!object.equals(present.tree())) {
                state.objectStore().replace(bucket, present, StoredObject.of(object));
            }
        }
    }

    private void install(ObjectNode object) {
        Resource resource = state.servedResources()
                .findKind(Json.string(object, "apiVersion"), Json.string(object, "kind"))
                .orElseThrow();
        String namespace = Json.string(object, "metadata", "namespace");
        if (state.bucket(resource).get(namespace, Json.string(object, "metadata", "name")) == null) {
            client.install(resource, object);
        }
    }

    /**
     * Objects that every API server makes of itself: which groups it serves, and how it would share itself between
     * requests. See {@code cmd/kube-apiserver/app/aggregator.go} and {@code pkg/apis/flowcontrol/bootstrap/default.go}
     * of the apiserver library, v1.33; the data are in {@code system-objects.json}.
     */
    private static final class SystemObjects {
        private static final String AUTOMATIC = "apf.kubernetes.io/autoupdate-spec";
        private final ServerContext state;

        SystemObjects(ServerContext state) {
            this.state = state;
        }

        void install() {
            JsonNode data = Json.parse(BesideClass.bytes(SystemObjects.class, "system-objects.json"));
            for (ServedResources.Group group : state.servedResources().groups()) {
                group.versions().keySet().forEach(version -> apiService(group.name(), version, data));
            }
            data.path("schemas").properties().forEach(schema -> {
                ObjectNode spec = Json.object();
                spec.putObject("priorityLevelConfiguration")
                        .put("name", schema.getValue().get(1).asString());
                spec.put("matchingPrecedence", schema.getValue().get(0).longValue());
                flowControl("flowschemas", schema.getKey(), spec);
            });
            data.path("levels")
                    .properties()
                    .forEach(level -> flowControl("prioritylevelconfigurations", level.getKey(), (ObjectNode)
                            level.getValue().deepCopy()));
        }

        private void apiService(String group, String version, JsonNode data) {
            JsonNode priority = data.path("priorities").path(group);
            JsonNode ofVersion = data.path("versions").path(group + "/" + version);
            ObjectNode object = named(version + "." + group);
            Json.child(object, "metadata")
                    .putObject("labels")
                    .put("kube-aggregator.kubernetes.io/automanaged", "onstart");
            ObjectNode spec = object.putObject("spec");
            if (!group.isEmpty()) {
                spec.put("group", group);
            }
            spec.put("version", version)
                    .put("groupPriorityMinimum", priority.isMissingNode() ? 17000 : priority.longValue())
                    .put("versionPriority", ofVersion.longValue(15));
            object.putObject("status")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Available")
                    .put("status", "True")
                    .put("lastTransitionTime", state.now())
                    .put("reason", "Local")
                    .put("message", "Local APIServices are always available");
            store("apiregistration.k8s.io/apiservices", object);
        }

        private void flowControl(String plural, String name, ObjectNode spec) {
            ObjectNode object = named(name);
            Json.child(object, "metadata")
                    .put("generation", 1)
                    .putObject("annotations")
                    .put(AUTOMATIC, "true");
            object.set("spec", spec);
            object.putObject("status");
            store("flowcontrol.apiserver.k8s.io/" + plural, object);
        }

        private ObjectNode named(String name) {
            ObjectNode object = Json.object();
            object.putObject("metadata")
                    .put("name", name)
                    .put("uid", state.nameGenerator().uid())
                    .put("creationTimestamp", state.now());
            return object;
        }

        private void store(String id, ObjectNode object) {
            ResourceBucket bucket = state.objectStore().bucket(id);
            if (bucket.get("", Json.string(object, "metadata", "name")) == null) {
                state.objectStore().create(bucket, StoredObject.of(object));
            }
        }
    }
}
