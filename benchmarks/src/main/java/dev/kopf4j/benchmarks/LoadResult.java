package dev.kopf4j.benchmarks;

/**
 * The result of a load.
 *
 * @param objectsPerSecond from the first create to the last observed patch
 * @param createdPerSecond the load's own speed meanwhile
 * @param patchLatency from the create's answer to the observed patch
 * @param cpu CPU seconds of what is measured
 * @param patchesPerObject requests
 */
record LoadResult(
        double objectsPerSecond,
        double createdPerSecond,
        PatchLatency patchLatency,
        double cpu,
        double patchesPerObject) {
    LoadResult with(double cpuSeconds, double patches) {
        return new LoadResult(objectsPerSecond, createdPerSecond, patchLatency, cpuSeconds, patches);
    }
}
