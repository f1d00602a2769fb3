/**
 * Keeps the store on disk: a snapshot of all objects, and a journal of the changes since. Knows the store, but nothing
 * of HTTP or kinds.
 *
 * <p>The operating system gets each change before anybody sees it, so that the change survives the end of the process,
 * even by SIGKILL. The disk gets it within a second: a power failure may lose the last second. Records have checksums:
 * reading stops at the first damaged one.
 */
package dev.kopf4j.devcluster.journal;
