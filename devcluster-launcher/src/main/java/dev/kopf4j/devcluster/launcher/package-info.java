/**
 * The dev cluster for those whose program does not run on its Java:
 * {@link dev.kopf4j.devcluster.launcher.DevClusterProcess} starts it as a process, or uses one that runs, and
 * {@link dev.kopf4j.devcluster.launcher.DevClusterExtension} gives it to tests of JUnit. How a program is found, and
 * what it is, says {@link dev.kopf4j.devcluster.launcher.LaunchOptions}. The package knows of the cluster what its
 * command line promises, and nothing else.
 */
package dev.kopf4j.devcluster.launcher;
