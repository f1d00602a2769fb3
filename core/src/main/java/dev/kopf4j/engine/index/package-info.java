/**
 * Keeps what index functions have made of the objects, and knows when it is complete.
 *
 * <p>{@link dev.kopf4j.engine.index.IndexSet} has the indices of an operator;
 * {@link dev.kopf4j.engine.index.ObjectIndexer} brings in what the functions of one resource make of its objects, each
 * of which remembers its own values ({@link dev.kopf4j.engine.index.IndexedObject});
 * {@link dev.kopf4j.engine.index.IndexReadinessGate} holds all other handlers back until everything that exists is
 * indexed. Written by the workers of the objects, read from any thread.
 *
 * <p>{@code engine.index} keeps values by keys ({@code LiveIndex}): a chain of values for each key, and one for each
 * object. A change of an object costs its own keys, and readers need no lock. {@code IndexReadinessGate} holds all
 * other handlers back until everything that exists is indexed; nobody waits inside it: workers call the index
 * functions, park the event as text, and go on to the next object.
 */
package dev.kopf4j.engine.index;
