/**
 * The embedded cluster as commands use it: {@link dev.kopf4j.cli.cluster.RunningDevCluster} runs it with a kubeconfig
 * on disk, {@link dev.kopf4j.cli.cluster.ManifestFiles} are the objects that it begins with.
 *
 * <p>It never overwrites the kubeconfig of another cluster, and deletes a temporary one at the end. {@code kopf4j run}
 * and {@code kopf4j devcluster} use it.
 */
@NullMarked
package dev.kopf4j.cli.cluster;

import org.jspecify.annotations.NullMarked;
