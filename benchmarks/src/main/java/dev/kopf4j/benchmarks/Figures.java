package dev.kopf4j.benchmarks;

/**
 * What one measurement has shown.
 *
 * @param contender what was measured
 * @param objectsPerSecond from the first create to the last observed patch
 * @param createdPerSecond the load's own speed meanwhile
 * @param patchesPerObject requests
 * @param busy the latency at full speed
 * @param paced the latency at a pace
 * @param cpuStart CPU seconds until it was ready
 * @param cpuWork CPU seconds for the objects created at full speed
 * @param peakMegabytes the most memory resident
 * @param patchesAfterRestart requests that a second process made for the objects that were done
 */
record Figures(
        Contender contender,
        double objectsPerSecond,
        double createdPerSecond,
        double patchesPerObject,
        Latency busy,
        Latency paced,
        double cpuStart,
        double cpuWork,
        double peakMegabytes,
        long patchesAfterRestart) {}
