package dev.kopf4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * The plan of a measurement. Immutable.
 *
 * @param command which measurement: {@code ceiling}, {@code handlers}, {@code index}, {@code children}, {@code timers},
 *     {@code devcluster}, {@code reviews} or {@code shards}
 * @param load what is created, and how often
 * @param server the kubeconfig of the cluster that is used; empty for a dev cluster
 * @param statusSubresource whether the objects have one
 * @param process how the measured process is started
 * @param programs further contenders
 */
record BenchmarkPlan(
        String command,
        Load load,
        String server,
        boolean statusSubresource,
        Measured process,
        List<Contender.Program> programs) {
    /** Copies the list. */
    BenchmarkPlan {
        programs = List.copyOf(programs);
    }

    /** Objects created a second, at a pace. */
    static final int PACE = 100;

    /** The time limit of a measurement. */
    static final int PATIENCE_SECONDS = 180;

    /**
     * What is created, and how often.
     *
     * @param objects how many objects are created at full speed, or exist
     * @param paced how many objects are created at a pace after that
     * @param rounds how often each contender is measured, or each timer is called after its first call
     * @param connections over how many connections the objects are created
     */
    record Load(int objects, int paced, int rounds, int connections) {}

    /**
     * How the measured process is started.
     *
     * @param logLevel what it logs, to our own stderr
     * @param cached whether it starts with an AOT cache
     * @param jvmOptions its options
     */
    record Measured(String logLevel, boolean cached, List<String> jvmOptions) {
        /** Copies the list. */
        Measured {
            jvmOptions = List.copyOf(jvmOptions);
        }
    }

    /** The same with one more option for the measured JVM. */
    BenchmarkPlan with(String jvmOption) {
        List<String> more = new ArrayList<>(process.jvmOptions());
        more.add(jvmOption);
        return new BenchmarkPlan(
                command,
                load,
                server,
                statusSubresource,
                new Measured(process.logLevel(), process.cached(), more),
                programs);
    }
}
