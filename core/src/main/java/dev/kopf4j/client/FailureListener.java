package dev.kopf4j.client;

/** Hears of the attempts of a request that have failed and are retried. */
@FunctionalInterface
interface FailureListener {
    FailureListener DEAF = failure -> {};

    void failed(ClientException failure);
}
