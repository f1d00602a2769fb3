package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.ServerAddress;

/** The API server of one measurement, ready for it: definitions, accounts, tokens. */
interface MeasuredServer extends AutoCloseable {
    /** The one that the plan wants. */
    static MeasuredServer of(BenchmarkPlan benchmarkPlan) {
        return benchmarkPlan.server().isEmpty()
                ? new DevClusterServer(benchmarkPlan.statusSubresource())
                : new RealServer(benchmarkPlan.server(), benchmarkPlan.statusSubresource());
    }

    /** Where it is, and how to get in. */
    ServerAddress address();

    /** How many PATCH requests for the objects it has answered so far. */
    long patches();

    @Override
    void close();
}
