package dev.kopf4j.testing.simulation;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** The cluster of a simulation, as steps and checks of the test see it. Confined to the simulation. */
public interface World {
    /** A client of the administrator, which no fault hits. */
    KubernetesClient client();

    /** The randomness of this step: the same for the same seed, whatever happens before. */
    RandomGenerator random();

    /** The time of the simulation. */
    Instant now();

    /** Creates or updates objects. */
    void apply(String manifests);
}
