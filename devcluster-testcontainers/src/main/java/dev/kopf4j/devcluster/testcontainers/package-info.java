/**
 * The dev cluster as a container, for tests that have Docker and Testcontainers:
 * {@link dev.kopf4j.devcluster.testcontainers.DevClusterContainer}. The package knows of the image its port, its
 * kubeconfig, and what it prints when it serves; and nothing else of the dev cluster.
 */
@NullMarked
package dev.kopf4j.devcluster.testcontainers;

import org.jspecify.annotations.NullMarked;
