/**
 * Assembles an operator from the packages below, starts it, supervises it, and stops it.
 *
 * <p>Commands that look into a cluster take the same way there as the operator, by {@code ClusterSurvey}.
 */
package dev.kopf4j.engine;
