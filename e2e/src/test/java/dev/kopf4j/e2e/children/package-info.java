/**
 * Children that ought to exist, on a dev cluster in simulated time. {@link dev.kopf4j.e2e.children.ChildrenScenario} is
 * the cluster with its operator and its people; {@link dev.kopf4j.e2e.children.ChildrenWorldsTest} lives through random
 * worlds, with counters of what has really occurred: strangers' objects under the names of children, before and after
 * them; children that cannot be written, while parents are changed, deleted, and their operators killed; namespaces
 * that go; parents that are replaced while their children are described. Why worlds once missed such things stands in
 * the package {@code dev.kopf4j.engine.chaos} of core's tests.
 */
package dev.kopf4j.e2e.children;
