/**
 * Chooses the handlers to call: those whose filters let the occasion pass, and of these the lifecycle chooses among
 * those that are due. Pure, as far as the callbacks of filters are.
 */
package dev.kopf4j.engine.handling.selection;
