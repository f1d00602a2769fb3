/**
 * Tells what an operator would watch, for whom, and with which rights, without running it: the command {@code kopf4j
 * explain watches}. What is watched is decided by {@code engine.orchestration}, as for an operator that runs.
 */
package dev.kopf4j.engine.explanation;
