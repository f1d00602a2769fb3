/**
 * Admission policies, and admission webhooks: which of them the server calls for a request, what it sends, and what it
 * does with the answers. A {@link dev.kopf4j.devcluster.api.WebhookCaller} makes the call itself; a simulation may
 * replace it.
 */
package dev.kopf4j.devcluster.admission;
