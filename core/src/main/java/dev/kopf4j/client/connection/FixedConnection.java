package dev.kopf4j.client.connection;

import dev.kopf4j.client.error.UnauthorizedException;

/** The one connection that there is. */
record FixedConnection(Connection current) implements Connections {
    @Override
    public void reject(Connection rejected, UnauthorizedException reason) {
        throw reason;
    }

    @Override
    public void close() {
        current.transport().close();
    }
}
