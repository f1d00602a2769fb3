/**
 * Tells which rights an operator needs, for roles: those of its handlers, of the framework, and those that handlers
 * declare. Which streams there are is decided by {@code engine.orchestration}, as for an operator that runs.
 */
package dev.kopf4j.engine.rights;
