/**
 * What the end of a call means by limits and errors mode, what a result becomes in the status, and how far the handlers
 * of an object have come by it.
 *
 * <p>Nothing is called here and nobody waits: decisions are pure and tested as tables.
 */
package dev.kopf4j.engine.handling.progress;
