/**
 * The verbs of the Kubernetes API, and the one thing that the engine needs for a request:
 * {@link dev.kopf4j.client.api.KubernetesApi}.
 */
package dev.kopf4j.client.api;
