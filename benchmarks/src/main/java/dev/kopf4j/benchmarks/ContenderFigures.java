package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.process.ProcessMemory;

/**
 * The result of one measurement.
 *
 * @param contender what was measured
 * @param cold objects at full speed for a process that has just started
 * @param warm as many again, later
 * @param paced the latency at a pace
 * @param process what the process took
 * @param patchesAfterRestart requests that a second process made for the objects that were done
 */
record ContenderFigures(
        Contender contender,
        LoadResult cold,
        LoadResult warm,
        PatchLatency paced,
        OfProcess process,
        long patchesAfterRestart) {
    /**
     * What a process took.
     *
     * @param cpuStart CPU seconds until it was ready
     * @param idle its memory when it has nothing to do yet
     * @param full its memory at the end
     */
    record OfProcess(double cpuStart, ProcessMemory idle, ProcessMemory full) {}
}
