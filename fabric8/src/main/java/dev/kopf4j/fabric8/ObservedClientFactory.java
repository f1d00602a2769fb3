package dev.kopf4j.fabric8;

import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.http.HttpClient;

/**
 * Makes HTTP clients that tell what they have written. Thread-safe.
 *
 * @param factory makes the clients
 * @param listener hears the answers
 */
record ObservedClientFactory(HttpClient.Factory factory, WriteListener listener) implements HttpClient.Factory {
    @Override
    public HttpClient.Builder newBuilder() {
        return new ObservedClientBuilder(factory.newBuilder(), listener);
    }
}
