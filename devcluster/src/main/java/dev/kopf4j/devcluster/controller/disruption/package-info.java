/** Disruption budgets: {@code pkg/controller/disruption}, v1.33. */
package dev.kopf4j.devcluster.controller.disruption;
