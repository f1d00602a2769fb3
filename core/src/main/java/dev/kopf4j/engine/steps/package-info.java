/**
 * Steps: calls to external systems that one call of a handler makes, each recorded on the object before the next one.
 *
 * <p>{@code CallSteps} is what a handler sees as {@link dev.kopf4j.Steps}: it decides what is called, what is taken
 * from a record, and what is to be recorded. Where records lie, and how they get there, is told by a
 * {@code StepJournal}: for handlers of changes {@code engine.cycle} writes them as the records of sub-handlers, by the
 * object's worker, which waits for the call; for timers and daemons {@code engine.daemon} writes them itself. What
 * outlives the handling (what can be taken back) is in {@code StepMarks}.
 */
package dev.kopf4j.engine.steps;
