/** The kinds of the group {@code apps}: deployments, replica sets, stateful sets, daemon sets. */
package dev.kopf4j.devcluster.strategy.apps;
