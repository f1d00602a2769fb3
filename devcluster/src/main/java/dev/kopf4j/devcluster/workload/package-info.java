/**
 * Progress of workloads, simulated: nothing runs, but pods become ready, replica sets have their pods, deployments roll
 * out, jobs complete, each after a settable time on the server's clock. Switched on by an option.
 */
package dev.kopf4j.devcluster.workload;
