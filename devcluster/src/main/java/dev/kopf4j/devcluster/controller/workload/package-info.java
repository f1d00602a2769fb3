/**
 * Simulates scheduler and kubelet, and runs the controllers of workloads: no container runs, but pods become ready
 * after a configurable time on the clock of the server. A controller looks at an object when it, or what is related to
 * it, changes, and when a time has come that it has asked for. {@code Options.workloads} switches it on.
 */
package dev.kopf4j.devcluster.controller.workload;
