/**
 * Follows what the cluster serves and which namespaces exist: CRDs and namespaces are watched, and the server is asked
 * again after each change that may matter, and with a growing delay while an API group does not answer.
 *
 * <p>Tells its listeners what has changed; {@code engine.orchestration} makes streams of it. Keeps no objects.
 *
 * <p>{@code engine.observation} follows CRDs and namespaces, and asks the server what it serves.
 * {@code engine.orchestration} turns that into streams.
 */
package dev.kopf4j.engine.observation;
