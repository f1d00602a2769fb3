package dev.kopf4j.e2e.endurance.process;

import dev.kopf4j.e2e.endurance.operator.TrialHandlers;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command that starts an operator. Immutable.
 *
 * @param program the launcher of kopf4j
 * @param kubeconfig how it reaches the cluster
 * @param address where it answers probes
 * @param calls the file of calls
 */
record OperatorCommand(Path program, Path kubeconfig, URI address, Path calls) {
    private static final Map<String, String> QUICK_LEASES = Map.of(
            "KOPF4J_SETTINGS_LEADER_ELECTION_ENABLED", "true",
            "KOPF4J_SETTINGS_LEADER_ELECTION_LEASE_NAME", "kopf4j-endurance",
            "KOPF4J_SETTINGS_LEADER_ELECTION_LEASE_DURATION", "4s",
            "KOPF4J_SETTINGS_LEADER_ELECTION_RENEW_DEADLINE", "3s",
            "KOPF4J_SETTINGS_LEADER_ELECTION_RETRY_PERIOD", "500ms");

    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put(TrialHandlers.FILE, calls.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("KOPF4J_CACHE", "off"); // its making would take a processor while the first operators run
        return environment;
    }

    /** The environment of an operator that acts only while it holds the lease, under this identity. */
    Map<String, String> environmentOfElected(String identity) {
        Map<String, String> environment = environment();
        environment.putAll(QUICK_LEASES);
        environment.put("KOPF4J_SETTINGS_LEADER_ELECTION_IDENTITY", identity);
        return environment;
    }

    List<String> line() {
        return new ArrayList<>(List.of(
                program.toString(),
                "run",
                "--all-namespaces",
                "--standalone",
                "--kubeconfig",
                kubeconfig.toString(),
                "--liveness",
                address + "/healthz",
                "--readiness",
                address + "/ready",
                "-m",
                TrialHandlers.class.getName(),
                classes().toString()));
    }

    private static Path classes() {
        return Path.of(URI.create(TrialHandlers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }
}
