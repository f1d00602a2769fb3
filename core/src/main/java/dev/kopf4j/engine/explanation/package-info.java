/**
 * Tells what an operator would watch, for whom, and with which rights, without running it: the command {@code kopf4j
 * explain watches}. What is watched is decided by {@code engine.orchestration}, as for an operator that runs.
 *
 * <p>{@code WatchPlan} decides the same for {@code engine.explanation} ({@code kopf4j explain watches}), by the same
 * classes ({@code WatchTargets}, {@code WatchedResources}). {@code ClusterSurvey} looks at a cluster for it and for
 * {@code engine.maintenance} ({@code kopf4j uninstall}, {@code kopf4j doctor}), which lists the objects of those
 * streams; {@code OperatorTraces} knows what an operator leaves on an object. So it does for {@code engine.rights}:
 * {@code RightsPlan} makes {@code RequiredRule}s of the streams, of the framework's own requests, and of what handlers
 * declare by {@code @PolicyRule}; the command line makes roles of them ({@code cli.manifests}), and compares them with
 * what an operator has used ({@code cli.rbac}).
 */
package dev.kopf4j.engine.explanation;
