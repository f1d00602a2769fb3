package dev.kopf4j.webhook;

/**
 * What a webhook server sends back: the status is 200, the type {@code application/json}.
 *
 * @param body the answering review as JSON
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WebhookResponse(byte[] body) {}
