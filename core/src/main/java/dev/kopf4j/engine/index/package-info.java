/**
 * Keeps what index functions have made of the objects, and knows when it is complete.
 *
 * <p>{@link dev.kopf4j.engine.index.IndexSet} has the indices of an operator;
 * {@link dev.kopf4j.engine.index.ObjectIndexer} brings in what the functions of one resource make of its objects, each
 * of which remembers its own values; {@link dev.kopf4j.engine.index.WrittenObjects} has those of which the indices are
 * ahead of the stream. Written by the workers of the objects, and by the calls that have just written an object
 * ({@code ObjectIndexer.written}); read from any thread.
 *
 * <p>A {@code LiveIndex} keeps values by keys: a chain of values for each key, and one for each object. A change of an
 * object costs its own keys, and readers need no lock. {@code IndexReadinessGate} holds the handlers of events and
 * changes back until everything that exists is indexed; daemons and timers that run already go on. Nobody waits inside
 * it: workers call the index functions, park the event as text, and go on to the next object.
 */
package dev.kopf4j.engine.index;
