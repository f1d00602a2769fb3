/**
 * What kinds do beyond the common rules: defaults, derived values, validation, warnings, deletion. Each built-in kind
 * that has rules of its own has one {@link dev.kopf4j.devcluster.strategy.ResourceStrategy}, in the subpackage of its
 * API group, even if a group has only one such kind. Each subpackage has one public class, which gives its strategies
 * by the names of their resources, and has them nested unless they are long; {@code pod} has what pods and the
 * templates of workloads share.
 *
 * <p>Paths in comments are those of the repository kubernetes/kubernetes at v1.33, or of the library that is named; the
 * API server follows these files.
 */
package dev.kopf4j.devcluster.strategy;
