/**
 * The only place that talks to the Kubernetes API: discovery, lists, watches, patches, credentials, retries.
 *
 * <p>From the bottom up: a {@link dev.kopf4j.client.Transport} sends one request as it is;
 * {@link dev.kopf4j.client.Connections} hold the credentials and the transports made of them; the request layer retries
 * and turns bad answers into {@link dev.kopf4j.client.ClientException}; {@link dev.kopf4j.client.KubernetesApi} knows
 * the verbs; a {@link dev.kopf4j.client.WatchLoop} keeps one stream of events going for ever. All time and waiting
 * comes from {@link dev.kopf4j.runtime}: every wait has a deadline and can be interrupted.
 */
package dev.kopf4j.client;
