/**
 * An embedded Kubernetes API server for development and tests.
 *
 * <p>{@link dev.kopf4j.devcluster.DevCluster} is the server on a socket, {@link dev.kopf4j.devcluster.ApiServer} the
 * same without one: {@code handle(request)} gives a response and never waits. Below it, arrows down only: {@code route}
 * finds what answers a path; {@code discovery} tells what is served; {@code rest} carries out the verbs, the same for
 * all resources; {@code kind} holds what kinds add; {@code control} are the controllers; {@code show} renders answers;
 * {@code resource} describes resources as data; {@code schema}, {@code patch}, {@code selector}, {@code json} and
 * {@code status} are pure; {@code store} keeps all objects under one version counter. {@code http} is the socket side
 * and knows requests and responses only.
 *
 * <p>Resource behaviour is data: a kind has no class of its own but may name steps. Watches are served from the store's
 * windows by cursors, without a queue or thread for each; one that falls behind its window gets 410.
 *
 * <p>Known differences to a real cluster: there are no controllers of workloads (no pods of deployments, no default
 * service accounts, no {@code kube-root-ca.crt}), volume claims get no {@code pvc-protection} finalizer, RBAC knows no
 * bootstrap roles but the administrator and no check of escalation, there are no client certificates, conversion
 * webhooks or compressed answers, and nothing outlives the process.
 */
package dev.kopf4j.devcluster;
