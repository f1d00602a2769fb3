/**
 * Kubernetes objects as handlers see them: views to read, patches to collect changes, references and loggers to speak
 * of them. Implements the interfaces of the public API on JSON trees; pure but for logging.
 */
package dev.kopf4j.object;
