/**
 * Follows resources for ever: {@link dev.kopf4j.client.watching.ListAndWatchLoop} lists, watches, and restores itself
 * after each failure.
 *
 * <p>No stream ends silently: a {@link dev.kopf4j.client.watching.ListAndWatchListener} is told what goes wrong, and
 * when it works again. Whether a watch goes on from the last version or lists everything again is decided by
 * {@code WatchEnding} only. The engine runs a loop for each resource and namespace that it handles, one for CRDs, one
 * for namespaces, and one for each peering object.
 */
@NullMarked
package dev.kopf4j.client.watching;

import org.jspecify.annotations.NullMarked;
