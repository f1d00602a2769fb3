/**
 * Operators that handle the same objects make way for each other, by records in objects that all of them watch; the
 * records are those of Kopf, so that operators in both languages see each other.
 *
 * <p>{@code engine.peering} takes part in Kopf's peering objects, and knows every reason not to act
 * ({@code PauseReasons}). Streams that are paused end, and drop what has not begun; what is being processed may end
 * within the exit timeout. The objects stay known, so that nothing is resumed twice. Acting again begins with a list.
 */
package dev.kopf4j.engine.peering;
