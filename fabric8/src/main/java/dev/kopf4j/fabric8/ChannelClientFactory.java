package dev.kopf4j.fabric8;

import dev.kopf4j.spi.RequestChannel;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;

/**
 * Makes HTTP clients for fabric8 that send their requests through a channel, in the calling thread.
 *
 * @param channel the way to the server
 */
public record ChannelClientFactory(RequestChannel channel) implements HttpClient.Factory {
    @Override
    public Builder newBuilder() {
        return new Builder(this);
    }

    /** A builder as fabric8 wants it. */
    static final class Builder extends StandardHttpClientBuilder<ChannelHttpClient, ChannelClientFactory, Builder> {
        Builder(ChannelClientFactory factory) {
            super(factory);
        }

        @Override
        public ChannelHttpClient build() {
            return new ChannelHttpClient(this, clientFactory);
        }

        @Override
        protected Builder newInstance(ChannelClientFactory factory) {
            return new Builder(factory);
        }
    }
}
