/**
 * What happened to an object: pure functions of an event and the state stored on the object. Called by the reactor for
 * each event that change handlers could be interested in; knows nothing of handlers beyond the fields they look at.
 */
package dev.kopf4j.engine.cause;
