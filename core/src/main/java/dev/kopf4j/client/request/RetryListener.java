package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ClientException;

/** Is told of the failed attempts of a request that are made again. */
@FunctionalInterface
public interface RetryListener {
    /** Ignores all. */
    RetryListener NONE = failure -> {};

    /** An attempt failed; another one follows after a delay. */
    void retrying(ClientException failure);
}
