package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Knows who has the lease of the operators, and takes it away. Confined to the simulation. */
final class LeaseWatch {
    private static final String STRANGER = "somebody-else";

    private final SimulatedPlatform world;
    private final Map<SimulatedPlatform, String> identities = new HashMap<>();
    private final Map<SimulatedPlatform, Instant> ends = new HashMap<>();
    private String holder = "";

    LeaseWatch(SimulatedPlatform world) {
        this.world = world;
    }

    /** Somebody else takes the lease, as if it had expired. */
    void take(KubernetesClient client) {
        for (Lease lease : client.leases().inAnyNamespace().list().getItems()) {
            if (!isOfMember(lease)) {
                lease.getSpec().setHolderIdentity(STRANGER);
                lease.getSpec().setRenewTime(world.now().atZone(ZoneOffset.UTC));
                client.resource(lease).update();
                holder = STRANGER;
            }
        }
    }

    /** Members of a group with shards have leases of their own, which nobody else takes. */
    private static boolean isOfMember(Lease lease) {
        ObjectMeta meta = lease.getMetadata();
        String group = meta.getLabels() == null ? null : meta.getLabels().get("kopf4j.dev/shards");
        return group != null && !group.equals(meta.getName());
    }

    /** The stranger gives it back. */
    void end(KubernetesClient client) {
        for (Lease lease : client.leases().inAnyNamespace().list().getItems()) {
            if (STRANGER.equals(lease.getSpec().getHolderIdentity())) {
                client.resource(lease).delete();
                holder = "";
            }
        }
    }

    /**
     * How a write of an operator breaks the rule; empty if it does not. Until the end of the lease that it has renewed
     * itself, a replica may write: others have to wait for that, and who does not cannot be noticed in time.
     */
    Optional<String> violation(SimulatedPlatform machine, ApiRequest request, ApiResponse response) {
        if (request.path().contains("/leases")) {
            noteLease(machine, request, response);
            return Optional.empty();
        }
        String own = identities.getOrDefault(machine, "");
        boolean patches = request.method().equals("PATCH") && response.status() < 300;
        boolean late = !world.now().isBefore(ends.getOrDefault(machine, Instant.MIN));
        return patches && late && !holder.isEmpty() && !holder.equals(own)
                ? Optional.of("'" + own + "' writes " + request.method() + " " + request.path()
                        + ", but the lease has '" + holder + "'")
                : Optional.empty();
    }

    private void noteLease(SimulatedPlatform machine, ApiRequest request, ApiResponse response) {
        if (response.status() >= 300 || !(response.body() instanceof ApiResponse.Whole(byte[] bytes))) {
            return;
        }
        JsonNode spec = Json.parse(bytes).path("spec");
        holder = spec.path("holderIdentity").asString("");
        boolean writes = !request.method().equals("GET");
        if (writes && !holder.isEmpty()) {
            identities.put(machine, holder);
            ends.put(
                    machine,
                    world.now().plusSeconds(spec.path("leaseDurationSeconds").asInt(0)));
        }
    }
}
