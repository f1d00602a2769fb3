/**
 * Which handlers are called: their filters let the occasion pass, and the lifecycle chooses among those that are due.
 * Pure, as far as the callbacks of filters are.
 */
package dev.kopf4j.engine.handling.selection;
