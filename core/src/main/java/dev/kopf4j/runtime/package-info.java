/**
 * Time, tasks, waiting and randomness: everything that makes two runs of a program differ.
 *
 * <p>All other packages take these from a {@link dev.kopf4j.runtime.Platform}. The
 * {@link dev.kopf4j.runtime.SystemPlatform} is the real one: wall clock, virtual threads. The
 * {@link dev.kopf4j.runtime.SimulatedPlatform} runs one task at a time, chooses the next one by a seed, and moves its
 * clock only when all tasks wait: the same seed gives the same run. There is a single waiting primitive,
 * {@link dev.kopf4j.runtime.Monitor#await}; {@link dev.kopf4j.runtime.ActionSchedule} and
 * {@link dev.kopf4j.runtime.ConcurrencyLimit} are built on it. Nothing outside this package starts threads, sleeps,
 * blocks or reads a clock in another way; {@code LayersTest} holds that.
 */
package dev.kopf4j.runtime;
