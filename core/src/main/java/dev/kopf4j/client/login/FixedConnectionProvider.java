package dev.kopf4j.client.login;

import dev.kopf4j.client.error.UnauthorizedException;

/** Hands out one connection that is never replaced. */
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
