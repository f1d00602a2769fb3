package dev.kopf4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * The plan of a measurement. Immutable.
 *
 * @param command which measurement: {@code ceiling}, {@code handlers}, {@code index}, {@code children}, {@code timers},
 *     {@code devcluster} or {@code reviews}
 * @param objects how many objects are created at full speed, or exist
 * @param paced how many objects are created at a pace after that
 * @param rounds how often each contender is measured, or each timer is called after its first call
 * @param connections over how many connections the objects are created
 * @param logLevel what the measured process logs, to our own stderr
 * @param server the kubeconfig of the cluster that is used; empty for a dev cluster
 * @param statusSubresource whether the objects have one
 * @param cached whether the measured process starts with an AOT cache
 * @param jvmOptions the options of the measured process
 */
record BenchmarkPlan(
        String command,
        int objects,
        int paced,
        int rounds,
        int connections,
        String logLevel,
        String server,
        boolean statusSubresource,
        boolean cached,
        List<String> jvmOptions) {
    /** Objects created a second, at a pace. */
    static final int PACE = 100;

    /** The time limit of a measurement. */
    static final int PATIENCE_SECONDS = 180;

    /** The same with one more option for the measured JVM. */
    BenchmarkPlan with(String jvmOption) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.add(jvmOption);
        return new BenchmarkPlan(
                command,
                objects,
                paced,
                rounds,
                connections,
                logLevel,
                server,
                statusSubresource,
                cached,
                List.copyOf(more));
    }
}
