/**
 * Tells what another version of an operator would do to the objects of a cluster, before it does.
 *
 * <p>{@link dev.kopf4j.cli.plan.ClusterCopy} reads once what both versions are concerned with, by get and list only,
 * and puts it into dev clusters in memory. {@link dev.kopf4j.cli.plan.Forecast} asks the engine's own decisions what a
 * version would do there, without calling anything; {@link dev.kopf4j.cli.plan.Trial} lets a version run there, in
 * virtual time; {@link dev.kopf4j.cli.plan.ChildrenForecast} lets the functions alone run that say which children there
 * ought to be. {@link dev.kopf4j.cli.plan.UpgradePlan} compares what both versions would do, or have done.
 */
@NullMarked
package dev.kopf4j.cli.plan;

import org.jspecify.annotations.NullMarked;
