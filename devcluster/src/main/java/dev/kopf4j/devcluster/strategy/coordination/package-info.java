/** The kind of the group {@code coordination.k8s.io}: leases. */
package dev.kopf4j.devcluster.strategy.coordination;
