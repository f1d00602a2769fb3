/** The kinds of the group {@code apiregistration.k8s.io} that have rules: storage classes. */
package dev.kopf4j.devcluster.strategy.apiregistration;
