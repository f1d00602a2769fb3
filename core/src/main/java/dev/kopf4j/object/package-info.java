/**
 * Kubernetes objects as handlers see them: views to read, patches to collect changes, references and loggers to name
 * them. Implements the interfaces of the public API on JSON trees. Pure, except for logging.
 *
 * <p>{@code object} implements the public views on trees that nobody changes any more, collects patches
 * ({@code PatchContent}: a merge patch, what is said of single conditions, and transformations), and logs with an
 * object's reference as a key-value pair, whatever the thread. References of known objects share their texts
 * ({@code KnownObjects.ReferenceTexts}), and are made when somebody asks for them: at rest, an object has its name and
 * a {@code CompactUid}.
 */
package dev.kopf4j.object;
