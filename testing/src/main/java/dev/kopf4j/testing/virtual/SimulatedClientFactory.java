package dev.kopf4j.testing.virtual;

import dev.kopf4j.runtime.SimulatedPlatform;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;

/**
 * Makes HTTP clients for fabric8 that send their requests through a simulated network, in the calling task.
 *
 * @param machine the machine of the client
 * @param network the way to the server
 */
record SimulatedClientFactory(SimulatedPlatform machine, SimulatedNetwork network) implements HttpClient.Factory {
    @Override
    public Builder newBuilder() {
        return new Builder(this);
    }

    /** A builder as fabric8 wants it. */
    static final class Builder extends StandardHttpClientBuilder<SimulatedHttpClient, SimulatedClientFactory, Builder> {
        Builder(SimulatedClientFactory factory) {
            super(factory);
        }

        @Override
        public SimulatedHttpClient build() {
            return new SimulatedHttpClient(this, clientFactory);
        }

        @Override
        protected Builder newInstance(SimulatedClientFactory factory) {
            return new Builder(factory);
        }
    }
}
