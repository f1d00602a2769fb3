/** The kind of the group {@code apiextensions.k8s.io}: custom resource definitions. */
package dev.kopf4j.devcluster.strategy.apiextensions;
