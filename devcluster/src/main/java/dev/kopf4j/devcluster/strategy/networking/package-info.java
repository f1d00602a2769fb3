/** The kinds of the group {@code networking.k8s.io}: ingresses and network policies. */
package dev.kopf4j.devcluster.strategy.networking;
