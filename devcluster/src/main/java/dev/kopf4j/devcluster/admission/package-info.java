/**
 * Admission webhooks: which of them want to see a request, what they are sent, and what becomes of their answers. The
 * call itself is made by a {@link dev.kopf4j.devcluster.api.WebhookCaller}, which a simulation may replace.
 */
package dev.kopf4j.devcluster.admission;
