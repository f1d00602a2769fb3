/**
 * Decides which streams run: one for each watched resource in each watched namespace. Starts and stops them as
 * resources and namespaces come and go, and as the operator is paused and resumed.
 *
 * <p>{@code WatchedResources} decides in which version a kind is watched: handlers that record progress have one, as
 * the objects are the same in all of them.
 *
 * <p>{@code ActingOperator} starts and stops the orchestrator. Nothing else starts streams of objects.
 *
 * <p>Reading one's own writes. The client that handlers have as a parameter tells what it writes
 * ({@code spi.WriteListener}), before the handler gets the answer; {@code OwnWrites} gives it to the streams of that
 * kind. A stream's {@code ObjectIndexer} calls the index functions with the answer, in the task that waits for it, and
 * puts their values in the place of those that the object has: there is one state of each object in the indices,
 * sometimes ahead of the stream. {@code index.WrittenObjects} remembers which objects these are, bounded, until the
 * stream has told of as new a version. A {@code ChildTap} takes the answer like an event. An answer that comes later
 * than the events of its object is recognised by how far the stream has come.
 */
package dev.kopf4j.engine.orchestration;
