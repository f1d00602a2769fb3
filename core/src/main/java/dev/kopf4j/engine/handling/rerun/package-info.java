/**
 * An object may change after some of its handlers have ended and before the others have. This package remembers which
 * state each handler has seen, and lets those that have not seen the newest one be called again.
 */
package dev.kopf4j.engine.handling.rerun;
