/**
 * Sorts the events of one stream into a queue per object, and gives each queue with work one worker: the events of one
 * object are processed in order, those of different objects side by side.
 *
 * <p>One monitor per stream guards all of it. Everything is bounded: workers, objects with waiting events, raw events
 * of one object; at a limit the stream waits. {@code engine.cycle} knows how an object is processed.
 */
package dev.kopf4j.engine.queueing;
