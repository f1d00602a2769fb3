/**
 * When and where the operator must not act. {@code PauseReasons} knows every reason that holds for whole streams: a
 * peer that goes first, a leader that is another replica, a lost lease. {@code ShardsToActOn} has the objects to act on
 * where replicas share them. That people have paused a single object by an annotation is {@code engine.intervention}.
 *
 * <p>Streams that are paused end, and drop what has not begun; what is being processed may end within the exit timeout.
 * The objects stay known, so that nothing is resumed twice. Acting again begins with a list.
 */
package dev.kopf4j.engine.pausing;
