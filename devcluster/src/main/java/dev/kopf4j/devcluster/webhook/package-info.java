/**
 * How the server reaches webhooks: by a URL, or by a service whose local address is known. A
 * {@link dev.kopf4j.devcluster.api.WebhookCaller} makes the call itself; a simulation may replace it.
 */
package dev.kopf4j.devcluster.webhook;
