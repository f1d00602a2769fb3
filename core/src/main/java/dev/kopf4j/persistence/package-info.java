/**
 * State that the operator stores on the objects themselves: the essence that was handled last ({@code diffbase}), and
 * how far the handlers of an unfinished change have come ({@code progress}), by common {@code conventions}. This
 * package makes the storages that the settings choose.
 *
 * <p>All formats are Kopf's, to the byte where it matters (keys with BLAKE2b suffixes, progress records, the
 * last-handled essence), so that operators of both kinds can take over each other's objects.
 *
 * <p>Everything here is a pure function of the object's body and the patch that is being made: bodies are never
 * changed, patches are, and nothing is sent. State that somebody has broken by hand is logged as a warning and counts
 * as absent; it never causes an exception.
 */
package dev.kopf4j.persistence;
