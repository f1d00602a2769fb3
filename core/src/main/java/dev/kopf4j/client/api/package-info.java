/**
 * The verbs of the Kubernetes API. {@link dev.kopf4j.client.api.KubernetesApi} is the one interface that the engine
 * sends its requests through; it fails with the exceptions of {@code client.error} only.
 *
 * <p>Lists are read page by page and handed over object by object, so that no page is ever in memory as a whole
 * ({@link dev.kopf4j.client.api.PagedList}). A {@link dev.kopf4j.client.api.WatchStream} is one watch, which ends and
 * breaks; {@code client.watching} keeps watches going. {@link dev.kopf4j.client.api.ApiDiscovery} finds out which
 * resources the cluster serves, in both formats; {@link dev.kopf4j.client.api.WellKnownResources} need no discovery.
 */
@NullMarked
package dev.kopf4j.client.api;

import org.jspecify.annotations.NullMarked;
