/**
 * Sorts the events of one stream into a queue per object, and gives each queue with work one worker: the events of one
 * object are processed in order, those of different objects side by side.
 *
 * <p>One monitor per stream guards all of it. Everything is bounded: workers, objects with waiting events, raw events
 * of one object; at a limit the stream waits. {@code engine.cycle} knows how an object is processed.
 *
 * <p>An {@code EventDispatcher} sorts the events of a stream into the queues of its {@code KnownObjects}; its
 * {@code ObjectWork} gives each queue with work one worker of the {@code WorkerPool}, and {@code StreamIndexReadiness}
 * holds objects back while the indices are incomplete. {@code SharedQueue.WorkPriority} says who gets the next worker:
 * each class of work gives way to more urgent work for a bounded time, so that each class is a plain queue in a
 * {@code SharedQueue}, and nothing is overtaken for long. The streams of one resource share its workers
 * ({@code ResourceWorkers}): those whose objects wait get the next ones in turn. A list of several pages is read only
 * as fast as its objects are processed; its watch begins after the first page ({@code ListAndWatchLoop.EarlyWatch}),
 * and changes have room of their own ({@code BacklogLimit}), so that they pass the list. What the list tells of an
 * object that has changed or gone meanwhile is dropped ({@code KnownObjects}).
 */
package dev.kopf4j.engine.queueing;
