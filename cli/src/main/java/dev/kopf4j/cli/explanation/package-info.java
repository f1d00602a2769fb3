/**
 * Tells what an operator would watch, for whom, and with which rights, without running it: the command {@code kopf4j
 * explain watches}. What is watched is decided by the engine's {@code WatchPlan}, as for an operator that runs;
 * {@code ClusterSurvey} looks at the cluster.
 */
package dev.kopf4j.cli.explanation;
