/**
 * Simulates the progress of workloads: no container runs, but pods become ready, replica sets get their pods,
 * deployments roll out and jobs complete, each after a configurable time on the clock of the server.
 * {@code Options.workloads} switches it on.
 */
package dev.kopf4j.devcluster.controller.workload;
