/**
 * From the cluster to the handlers and back: observes which resources there are, keeps a stream for each, sorts its
 * events into a slot per object, processes one event of an object at a time, and sends the changes.
 *
 * <p>{@link dev.kopf4j.engine.reactor.Orchestrator} starts and stops streams;
 * {@link dev.kopf4j.engine.reactor.ResourceReactor} is the listener of one stream;
 * {@link dev.kopf4j.engine.reactor.ObjectProcessor} holds the order of steps for one event;
 * {@link dev.kopf4j.engine.reactor.PatchSender} is the only one that writes.
 */
package dev.kopf4j.engine.reactor;
