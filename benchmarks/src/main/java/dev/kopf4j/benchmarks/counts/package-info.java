/**
 * Counts what one object costs: requests, allocated and kept bytes, threads, connections. Nothing here depends on how
 * fast the machine is, so the build compares it with limits ({@link dev.kopf4j.benchmarks.counts.CountLimit}).
 */
@NullMarked
package dev.kopf4j.benchmarks.counts;

import org.jspecify.annotations.NullMarked;
