package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ClientException;

/** Hears of the attempts of a request that have failed and are retried. */
@FunctionalInterface
public interface RetryListener {
    /** Does not care. */
    RetryListener NONE = failure -> {};

    /** An attempt has failed, and another one is made after a while. */
    void retrying(ClientException failure);
}
