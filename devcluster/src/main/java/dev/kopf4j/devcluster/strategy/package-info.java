/**
 * What kinds do beyond the common rules: defaults, derived values, validation, warnings, deletion. Rules that are one
 * fact each are rows of {@code rules/GROUP.txt}, which {@link dev.kopf4j.devcluster.strategy.RuleTable} explains. A
 * kind with more has a {@link dev.kopf4j.devcluster.strategy.ResourceStrategy}, in the subpackage of its API group.
 * Each subpackage has one public class, which gives its strategies by the names of their resources, and has them nested
 * unless they are long; {@code pod} has what pods and the templates of workloads share.
 *
 * <p>Paths in comments are those of the repository kubernetes/kubernetes at v1.33, or of the library that is named; the
 * API server follows these files.
 */
package dev.kopf4j.devcluster.strategy;
