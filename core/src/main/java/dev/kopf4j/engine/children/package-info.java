/**
 * Handlers of children: calls those that are told of children, asks those that say which children there ought to be,
 * and brings what exists to that. {@code ParentChildren} has the order of the steps.
 *
 * <p>{@code ChildIndex} is the one place where existing children are known, by their parents; {@code DesiredChildren}
 * makes configurations of what handlers give; {@code ChildWriter} brings one to the other. But for the index, which all
 * streams fill, everything here belongs to the worker of the parent; {@code engine.cycle} calls it within the parent's
 * cycles.
 *
 * <p>{@code engine.children} handles what objects keep. A {@code ChildTap} reads the stream of a child's kind beside
 * the handlers and indices of that kind (one stream for all), and puts into {@code ChildIndex} what is needed to see
 * that a child is no longer as it was: a digest of the fields that the operator's manager owns, and of the annotation
 * that tells what was applied last; no bodies. Where nobody else looks at the kind, the stream is narrow: by label, and
 * metadata alone for kinds without a state. The gate of the indices holds parents back until all children are listed,
 * and nobody else. A child that differs wakes the worker of its parent, whose cycle ({@code ParentChildren}, the last
 * step) tells the handlers of children, asks those that say what ought to be, and applies what differs
 * ({@code ReconcilePass}). So children are one more cause of a parent's cycle: they take its place in the queue, as
 * {@code SharedQueue.WorkPriority.CHILD}. Nothing is stored on the parent but a condition. The state of a parent at
 * rest is not kept: when a child disturbs it, it is asked for as in {@code ConsistencyCheck}.
 */
package dev.kopf4j.engine.children;
