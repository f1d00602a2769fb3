package dev.kopf4j.engine.admission.http;

/** Answers requests. Thread-safe; interrupted if it takes too long. */
@FunctionalInterface
public interface HttpAnswer {
    /** The reply to a request; whatever it throws closes the connection without one. */
    HttpReply to(HttpRequest request);
}
