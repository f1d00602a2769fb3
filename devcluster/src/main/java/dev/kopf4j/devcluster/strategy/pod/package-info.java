/** Pod specs, in pods and in the templates of workloads: defaults, validation, warnings. */
package dev.kopf4j.devcluster.strategy.pod;
