/**
 * Assembles an operator from the packages below, starts it, supervises it, and stops it.
 *
 * <p>There are more than twenty classes because each makes one part of the operator, or holds it while it runs: this is
 * the one place that knows all packages.
 */
package dev.kopf4j.engine;
