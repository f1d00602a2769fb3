/**
 * Has the registered handlers and activities, immutable and found by resource, and the rules that refuse declarations
 * that make no sense. {@code engine.registration} fills it before the operator starts; everything above reads it.
 */
package dev.kopf4j.engine.handling.registry;
