package dev.kopf4j.benchmarks;

/**
 * The result of a load.
 *
 * @param objectsPerSecond from the first create to the last observed patch
 * @param createdPerSecond the load's own speed meanwhile
 * @param patchLatency from the create's answer to the observed patch
 * @param cpu CPU milliseconds of what is measured, for each object
 * @param patchesPerObject requests
 * @param allocated KB for each object
 */
record LoadResult(
        double objectsPerSecond,
        double createdPerSecond,
        PatchLatency patchLatency,
        double cpu,
        double patchesPerObject,
        double allocated) {
    LoadResult with(double cpuMillis, double patches, double kilobytes) {
        return new LoadResult(objectsPerSecond, createdPerSecond, patchLatency, cpuMillis, patches, kilobytes);
    }
}
