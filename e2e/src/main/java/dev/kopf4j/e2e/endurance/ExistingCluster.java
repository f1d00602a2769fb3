package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.process.ForeignServer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A cluster that is there already.
 *
 * @param kubeconfig of an administrator
 * @param freezing how its server becomes silent
 * @param dying how its server is killed and started
 */
record ExistingCluster(
        Path kubeconfig, Optional<ForeignServer.Commands> freezing, Optional<ForeignServer.Commands> dying) {}
