/**
 * Assembles an operator from the packages below, starts it, supervises it, and stops it.
 *
 * <p>It has more than twenty classes because the commands that look into a cluster ({@code PeeringControl},
 * {@code InstalledDefinitions}) take the same way there as the operator.
 */
package dev.kopf4j.engine;
