/**
 * Tells what happened to an object, by pure functions of an event and the state stored on the object.
 * {@code engine.cycle} calls them for each event that change handlers could be interested in. They know nothing of
 * handlers but the fields that these look at.
 *
 * <p>{@code engine.cause} tells create, update, delete, resume, noop, free and gone apart, by the event and what is
 * stored on the object. Pure.
 */
package dev.kopf4j.engine.cause;
