/**
 * Keeps the store on disk: a snapshot of all objects, and a journal of the changes since. Knows the store, but nothing
 * of HTTP or kinds.
 *
 * <p>Each change is handed to the operating system before anybody sees it, so that it survives the end of the process,
 * also by SIGKILL; it is forced to the disk within a second, so that a power failure may lose the last second. Records
 * carry a checksum: reading stops at the first that is not whole.
 */
package dev.kopf4j.devcluster.journal;
