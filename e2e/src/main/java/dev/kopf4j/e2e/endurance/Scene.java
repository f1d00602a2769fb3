package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.ClusterClient;
import dev.kopf4j.e2e.endurance.cluster.TrialScene;
import dev.kopf4j.e2e.endurance.judgement.Histories;
import dev.kopf4j.e2e.endurance.process.Credentials;
import dev.kopf4j.e2e.endurance.process.OperatorProcess;
import dev.kopf4j.e2e.endurance.process.TrialServer;
import java.util.List;

/**
 * All that can be disturbed.
 *
 * @param client the administrator's way to the cluster
 * @param histories what the observer has seen
 */
record Scene(
        TrialServer server,
        ClusterClient client,
        TrialScene objects,
        Credentials credentials,
        List<OperatorProcess> operators,
        Histories histories) {
    /** Makes the list unmodifiable. */
    Scene {
        operators = List.copyOf(operators);
    }
}
