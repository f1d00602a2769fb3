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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates what each cluster begins with: controllers, namespaces, roles. */
final class ClusterBootstrap {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private static final JsonNode DATA = Json.parse(BesideClass.bytes(ClusterBootstrap.class, "system-objects.json"));
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
        NAMESPACES.forEach(name -> install(form("namespace", Map.of("name", name))));
        install(form("nodeCritical", Map.of()));
        install(form("clusterCritical", Map.of()));
        new SystemObjects().install();
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

    /** An object of the data, with the values of its marks and those that a new object has. */
    private ObjectNode form(String name, Map<String, ?> values) {
        return Json.filled((ObjectNode) DATA.path("forms").path(name), values);
    }

    private ObjectNode made(String name, Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("uid", state.nameGenerator().uid());
        all.put("now", state.now());
        return form(name, all);
    }

    /** {@code pkg/controlplane/controller/defaultservicecidr} of Kubernetes, v1.33. */
    private void installServiceRange() {
        ResourceBucket bucket = state.objectStore().bucket("networking.k8s.io/servicecidrs");
        if (bucket.get("", "kubernetes") == null) {
            ObjectNode range = made("serviceRange", Map.of("range", ServiceStrategy.ADDRESSES));
            state.objectStore().create(bucket, StoredObject.of(range));
        }
    }

    /**
     * The Service {@code kubernetes} and where it leads: {@code pkg/controlplane/controller/kubernetesservice} and
     * {@code pkg/controlplane/reconcilers} of Kubernetes, v1.33. The address is loopback, which clients may not write.
     */
    private void installService(int port) {
        install(form("service", Map.of("address", ServiceStrategy.FIRST_ADDRESS, "port", port)));
        replace("services", present -> ((ObjectNode) present.at("/spec/ports/0")).put("targetPort", port));
        store("endpoints", "endpoints", port);
        store("discovery.k8s.io/endpointslices", "endpointSlice", port);
    }

    private void store(String id, String form, int port) {
        ResourceBucket bucket = state.objectStore().bucket(id);
        if (bucket.get("default", "kubernetes") == null) {
            state.objectStore().create(bucket, StoredObject.of(made(form, Map.of("port", port))));
        } else {
            ObjectNode content = form(form, Map.of("port", port)).without("metadata");
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
    private final class SystemObjects {
        void install() {
            for (ServedResources.Group group : state.servedResources().groups()) {
                group.versions().keySet().forEach(version -> apiService(group.name(), version));
            }
            DATA.path("schemas").properties().forEach(schema -> {
                Map<String, ?> values = Map.of(
                        "name", schema.getKey(),
                        "precedence", schema.getValue().get(0).longValue(),
                        "level", schema.getValue().get(1).asString());
                store("flowcontrol.apiserver.k8s.io/flowschemas", made("flowSchema", values));
            });
            DATA.path("levels").properties().forEach(level -> {
                ObjectNode object = made("level", Map.of("name", level.getKey()));
                object.set("spec", level.getValue().deepCopy());
                store("flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", object);
            });
        }

        private void apiService(String group, String version) {
            JsonNode priority = DATA.path("priorities").path(group);
            Map<String, ?> values = Map.of(
                    "name",
                    version + "." + group,
                    "group",
                    group,
                    "version",
                    version,
                    "groupPriority",
                    priority.longValue(17000),
                    "ownPriority",
                    DATA.path("versions").path(group + "/" + version).longValue(15));
            ObjectNode object = made("apiService", values);
            if (group.isEmpty()) {
                Json.child(object, "spec").remove("group");
            }
            store("apiregistration.k8s.io/apiservices", object);
        }

        private void store(String id, ObjectNode object) {
            ResourceBucket bucket = state.objectStore().bucket(id);
            if (bucket.get("", Json.string(object, "metadata", "name")) == null) {
                state.objectStore().create(bucket, StoredObject.of(object));
            }
        }
    }
}
