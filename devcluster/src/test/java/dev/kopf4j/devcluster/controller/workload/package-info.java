/** Tests of the simulated workloads. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.workload;
