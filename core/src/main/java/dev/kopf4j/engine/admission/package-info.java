/**
 * Answers the API server's questions about requests of its clients: reviews come in, admission handlers are called, and
 * one response goes back. {@code AdmissionReviews} has the order of the steps: an {@code AdmissionReview} is read, its
 * {@code AdmissionHandlers} get a {@code ReviewedRequest}, and an {@code AdmissionResponse} is made of what they say.
 * {@code Webhooks} has the server ({@code WebhookServerRun}) and what the API server is told of it. Nothing is written
 * and nothing remembered; every replica answers, whether it acts or not.
 */
package dev.kopf4j.engine.admission;
