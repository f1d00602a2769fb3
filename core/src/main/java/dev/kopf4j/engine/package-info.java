/**
 * Assembles an operator from the packages below, starts it, supervises it, and stops it.
 *
 * <p>More than twenty classes, since each makes one part of the operator or holds it while it runs: it is the one place
 * that knows all packages, and nothing of it could be used without the rest.
 */
package dev.kopf4j.engine;
