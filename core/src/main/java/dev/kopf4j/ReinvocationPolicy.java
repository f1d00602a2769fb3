package dev.kopf4j;

/** Whether a mutating handler is called again for one request: {@code reinvocationPolicy} of a webhook. */
public enum ReinvocationPolicy {
    /** It is called once. */
    NEVER,
    /** It is called again if other webhooks have changed the object after it. */
    IF_NEEDED
}
