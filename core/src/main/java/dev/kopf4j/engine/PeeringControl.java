package dev.kopf4j.engine;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.peering.PeerIdentity;
import dev.kopf4j.engine.peering.PeeringRecords;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.util.List;

/** Lets people pause and resume operators by their peering. Thread-safe. */
public final class PeeringControl {
    private final OperatorPlan plan;
    private final OperatorEnvironment operatorEnvironment;

    /** Controls the peering of the builder's settings, in the cluster or the namespaces that the builder was given. */
    public PeeringControl(OperatorBuilder builder) {
        this(OperatorPlan.of(builder));
    }

    private PeeringControl(OperatorPlan plan) {
        this(plan, surroundings(plan));
    }

    PeeringControl(OperatorPlan plan, OperatorEnvironment operatorEnvironment) {
        this.plan = plan;
        this.operatorEnvironment = operatorEnvironment;
    }

    private static OperatorEnvironment surroundings(OperatorPlan plan) {
        SystemPlatform platform = new SystemPlatform();
        return new OperatorEnvironment(platform, ClusterAccess.of(plan, platform));
    }

    /** The identity of a person who gives none: {@code user@host}. */
    public static String identityOfPerson() {
        return PeerIdentity.ofPerson();
    }

    /**
     * Records a peer for which all operators with a lower or the same priority pause.
     *
     * @param lifetime for how long; zero removes the record
     * @return the peering objects that have it now
     * @throws OperatorException if the cluster cannot be reached, or has no such object
     */
    public List<String> record(String identity, long priority, Duration lifetime) throws InterruptedException {
        Platform platform = operatorEnvironment.platform();
        try (ConnectionProvider connectionProvider =
                operatorEnvironment.access().connect(platform, NetworkSettings.DEFAULTS)) {
            KubernetesApi api = new KubernetesApi(platform, connectionProvider, NetworkSettings.DEFAULTS);
            ServerConnectionCheck.make(api);
            String name = plan.settings().peering().name();
            List<String> namespaces =
                    plan.namespaces().stream().map(NamespacePattern::text).toList();
            List<String> written =
                    new PeeringRecords(platform, api, name).write(namespaces, identity, priority, lifetime);
            if (written.isEmpty()) {
                throw new OperatorException(
                        "Cannot find the peering resource for '" + name + "' "
                                + (plan.namespaces().isEmpty() ? "cluster-wide" : "in " + plan.namespaces())
                                + ": create the definitions (deploy/peering-types.yaml) and an object of this name, as in deploy/peering.yaml.");
            }
            return written;
        } catch (ClientException e) {
            throw new OperatorException("The peering cannot be changed: " + e.getMessage(), e);
        }
    }
}
