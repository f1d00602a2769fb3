/**
 * Sends requests, again if need be, and turns bad answers and broken connections into
 * {@link dev.kopf4j.client.error.ClientException}.
 *
 * <p>What is repeated, after which delay, and what must not be repeated, is decided in this package only; so is whether
 * a request may be sent at all ({@link dev.kopf4j.client.request.LeadershipFence}).
 */
package dev.kopf4j.client.request;
