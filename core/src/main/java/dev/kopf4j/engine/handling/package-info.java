/**
 * Which handlers are called for a cause, how a call ends, and what is remembered of it: selection by filters,
 * invocation, outcomes, retries, progress. Decisions are pure and tested as tables;
 * {@link dev.kopf4j.engine.handling.HandlerRunner} is the one place that waits.
 */
package dev.kopf4j.engine.handling;
