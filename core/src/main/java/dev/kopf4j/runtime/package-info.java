/**
 * Time, tasks, waiting and randomness: everything that makes two runs of a program differ.
 *
 * <p>All other packages take these from a {@link dev.kopf4j.runtime.Platform}. The
 * {@link dev.kopf4j.runtime.SystemPlatform} is the real one: wall clock, virtual threads, and a few of the kernel. The
 * {@link dev.kopf4j.runtime.SimulatedPlatform} runs one task at a time, chooses the next one by a seed, and moves its
 * clock only when all tasks wait: the same seed gives the same run. There is a single waiting primitive,
 * {@link dev.kopf4j.runtime.Monitor#await}; {@link dev.kopf4j.runtime.ActionSchedule} and
 * {@link dev.kopf4j.runtime.ConcurrencyLimit} are built on it. Nothing outside this package starts threads, sleeps,
 * blocks or reads a clock in another way; {@code LayersTest} holds that.
 *
 * <p>{@code runtime} holds everything that makes a program depend on the moment it runs at. {@code Platform} gives two
 * clocks, tasks, a {@code Monitor} with the single waiting primitive (*wait until an attempt succeeds, or until a
 * deadline*), and randomness. {@code ActionSchedule} (entries, not threads) and {@code ConcurrencyLimit} are built on
 * it. {@code SimulatedPlatform} lets one task run at a time, chooses the next one by a seed, and moves its clock only
 * when all wait: the same seed gives the same run, a day of timers takes milliseconds, and {@code machine().kill()}
 * ends a machine as SIGKILL does.
 */
package dev.kopf4j.runtime;
