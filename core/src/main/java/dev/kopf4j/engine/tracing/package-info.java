/**
 * Who is told of each step of an operator's work: events that come, calls, cycles that end. For tests that wait for an
 * operator and show what it has done; nothing is traced otherwise.
 */
package dev.kopf4j.engine.tracing;
