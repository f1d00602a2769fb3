/**
 * Joins {@link dev.kopf4j.Tracing} to OpenTelemetry: what a span is and what it says is decided in the framework; here
 * it becomes one of the library's. Needs the API of OpenTelemetry alone; whoever collects the spans brings an SDK or
 * the agent.
 */
package dev.kopf4j.opentelemetry;
