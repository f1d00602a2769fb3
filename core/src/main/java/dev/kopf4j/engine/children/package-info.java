/**
 * Handlers of children: calls those that are told of children, asks those that say which children there ought to be,
 * and brings what exists to that. {@code ParentChildren} has the order of the steps.
 *
 * <p>{@code live} knows what exists, {@code desired} makes configurations of what handlers give. Everything here
 * belongs to the worker of the parent; {@code engine.cycle} calls it within the parent's cycles.
 */
package dev.kopf4j.engine.children;
