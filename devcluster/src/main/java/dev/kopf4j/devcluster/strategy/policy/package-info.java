/** The kinds of the group {@code policy}: disruption budgets. */
package dev.kopf4j.devcluster.strategy.policy;
