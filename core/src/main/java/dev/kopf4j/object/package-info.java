/**
 * Kubernetes objects as handlers see them: views to read, patches to collect changes, references and loggers to name
 * them. Implements the interfaces of the public API on JSON trees. Pure, except for logging.
 */
package dev.kopf4j.object;
