package dev.kopf4j.testing.simulation;

import dev.kopf4j.Body;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The cluster of a simulation, as steps and checks of the test see it. Confined to the simulation. Made by the
 * framework; not to be implemented.
 */
public interface World {
    /** A client of the administrator, which no fault hits. */
    KubernetesClient client();

    /** The randomness of this step: the same for the same seed, whatever happens before. */
    RandomGenerator random();

    /** The time of the simulation. */
    Instant now();

    /** The namespace that the client has, and objects get that name none. */
    String namespace();

    /**
     * The states that an object has had, as {@link dev.kopf4j.testing.TestedOperator#snapshots} has them. A kind that
     * the cluster does not serve, not even at the end, ends the test: it could not be run.
     */
    List<Body> snapshots(String kind, String name);

    /** Creates or updates objects. */
    void apply(String manifests);
}
