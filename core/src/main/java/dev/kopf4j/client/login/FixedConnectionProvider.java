package dev.kopf4j.client.login;

import dev.kopf4j.client.error.UnauthorizedException;

/** The one connection that there is. */
record FixedConnectionProvider(ApiServerConnection current) implements ConnectionProvider {
    @Override
    public void reject(ApiServerConnection rejected, UnauthorizedException reason) {
        throw reason;
    }

    @Override
    public void close() {
        current.transport().close();
    }
}
