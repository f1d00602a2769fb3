/**
 * Tells what happened to an object: create, update, delete, resume, noop, free or gone, by pure functions of an event
 * and the state stored on the object. {@code engine.cycle} calls them for each event of a resource that has more than
 * handlers of raw events; whom it concerns is asked after that. They know nothing of handlers but the fields that these
 * look at.
 */
package dev.kopf4j.engine.cause;
