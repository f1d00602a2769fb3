/**
 * Keeps streams of events going for ever: lists, watches, and restores itself after each failure.
 *
 * <p>No stream ends silently: what goes wrong is told to a {@link dev.kopf4j.client.stream.StreamListener}.
 */
package dev.kopf4j.client.stream;
