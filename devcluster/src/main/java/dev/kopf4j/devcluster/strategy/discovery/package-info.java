/** The kind of the group {@code discovery.k8s.io}: endpoint slices. */
package dev.kopf4j.devcluster.strategy.discovery;
