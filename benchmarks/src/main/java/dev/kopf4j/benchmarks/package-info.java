/**
 * Measures the operator against a bare watch-and-patch loop, in one run on one machine.
 *
 * <p>{@link dev.kopf4j.benchmarks.Main} makes the load and measures; it starts the dev cluster and the measured program
 * in processes of their own, which end when it ends.
 */
@NullMarked
package dev.kopf4j.benchmarks;

import org.jspecify.annotations.NullMarked;
