/**
 * Answers the API server's questions about requests of its clients: reviews come in, admission handlers are called, and
 * one response goes back. {@code AdmissionReviews} has the order of the steps. Nothing is written and nothing
 * remembered; every replica answers, whether it acts or not.
 */
package dev.kopf4j.engine.admission;
