/**
 * The kinds of the group {@code admissionregistration.k8s.io}: configurations of webhooks, policies and their bindings.
 */
package dev.kopf4j.devcluster.strategy.admissionregistration;
