/**
 * The verbs of the Kubernetes API. {@link dev.kopf4j.client.api.KubernetesApi} is the one interface that the engine
 * sends its requests through; it fails with the exceptions of {@code client.error} only.
 *
 * <p>Lists are read page by page and handed over object by object, so that no page is ever in memory as a whole
 * ({@link dev.kopf4j.client.api.KubernetesApi.ListListener}). A {@link dev.kopf4j.client.api.WatchStream} is one watch,
 * which ends and breaks; {@code client.watching} keeps watches going. {@link dev.kopf4j.client.api.ApiDiscovery} finds
 * out which resources the cluster serves, in both formats; {@link dev.kopf4j.client.api.WellKnownResources} need no
 * discovery.
 *
 * <p>{@code client} is a stack of packages. {@code transport} has the {@code Transport} that sends one request;
 * {@code socket} does it in real life, scripted ones do in tests. {@code login} reads credentials (service account, and
 * by {@code kubeconfig} the files of that name with their exec plugins), and its {@code CredentialVault} holds those in
 * use: one login serves all requests that find theirs rejected. Only {@code request} sends again, and it converts
 * responses into the exceptions of {@code error}. {@code api} has the verbs ({@code KubernetesApi}), lists page by
 * page, single watches and discovery. {@code watching} keeps watches going ({@code ListAndWatchLoop}: bookmarks,
 * reconnects from the last version, an idle deadline of its own, a new list where the version is too old): none ends
 * silently. {@code tls} alone is exported, to the integration with another client. Its {@code CipherPreference} offers
 * ChaCha20 first where the JVM has the first compiler alone: AES in plain code takes four times as long (48 against 13
 * µs to encrypt and decrypt 1,200 bytes).
 */
@NullMarked
package dev.kopf4j.client.api;

import org.jspecify.annotations.NullMarked;
