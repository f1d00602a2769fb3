/**
 * Calls the handlers of activities, which are what the operator does as a whole: start-up, cleanup, login, probes.
 * Knows nothing of objects.
 */
package dev.kopf4j.engine.activity;
