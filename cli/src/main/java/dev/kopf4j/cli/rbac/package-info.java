/**
 * Compares the rights that an operator has used with those that it was granted: {@link dev.kopf4j.cli.rbac.UsedRights}
 * are recorded by the embedded cluster, {@link dev.kopf4j.cli.rbac.Grant}s come from roles or from what
 * {@code engine.rights} finds.
 */
@NullMarked
package dev.kopf4j.cli.rbac;

import org.jspecify.annotations.NullMarked;
