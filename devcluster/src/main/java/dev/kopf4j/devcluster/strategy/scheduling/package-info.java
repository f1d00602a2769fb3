/** The kind of the group {@code scheduling.k8s.io}: priority classes. */
package dev.kopf4j.devcluster.strategy.scheduling;
