/**
 * Writes to objects: the only place that does. A patch becomes one request, or two with a status subresource (the
 * status first), each with a precondition. Knows which part of a patch is the framework's own: that part is written
 * even where the server refuses the rest.
 *
 * <p>Called by the object's worker, and by daemons through {@code engine.cycle}.
 */
package dev.kopf4j.engine.patching;
