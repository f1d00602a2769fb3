/** The kind of the group {@code certificates.k8s.io}: requests for certificates. */
package dev.kopf4j.devcluster.strategy.certificates;
