/**
 * Calls the handlers of activities, which are what the operator does as a whole: start-up, cleanup, login, probes.
 * Knows nothing of objects.
 *
 * <p>{@code engine.activity} calls the handlers of an activity until all have succeeded or failed for good; progress is
 * in memory. Start-up handlers work on a copy of the settings that is this run's own, and is frozen when they have
 * ended. Login handlers are a source of credentials like the built-in ones.
 */
package dev.kopf4j.engine.activity;
