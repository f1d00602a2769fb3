package dev.kopf4j.benchmarks;

/**
 * What a load has shown.
 *
 * @param objectsPerSecond from the first create to the last observed patch
 * @param createdPerSecond the load's own speed meanwhile
 * @param latency from the create's answer to the observed patch
 * @param cpu CPU seconds of what is measured
 * @param patchesPerObject requests
 */
record Run(double objectsPerSecond, double createdPerSecond, Latency latency, double cpu, double patchesPerObject) {
    Run with(double cpuSeconds, double patches) {
        return new Run(objectsPerSecond, createdPerSecond, latency, cpuSeconds, patches);
    }
}
