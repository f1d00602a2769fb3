/**
 * Runs an operator for minutes while its process, its server, its credentials, its definition and its namespaces are
 * disturbed, and counts what it has lost and repeated. On demand: {@code e2e/endurance --help}.
 *
 * <p>{@link dev.kopf4j.e2e.endurance.Endurance} has the order of the steps. {@code process} has the processes, all of
 * which end with this one; {@code operator} is what runs in the operator's; {@code cluster} is what is asked of the
 * cluster, {@code judgement} what is made of all that was seen.
 */
@NullMarked
package dev.kopf4j.e2e.endurance;

import org.jspecify.annotations.NullMarked;
