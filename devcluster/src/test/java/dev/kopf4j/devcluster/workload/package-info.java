/** Tests of simulated workloads. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.workload;
