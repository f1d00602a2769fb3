package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.runtime.Platform;

/**
 * A credential with the connection made of it. Immutable.
 *
 * @param login the id of the login that gave it
 */
record UsableCredential(String login, CredentialSnapshot snapshot, ApiServerConnection connection) {
    ConnectionInfo info() {
        return snapshot.info();
    }

    boolean isExpired(Platform platform) {
        return isExpired(platform, info());
    }

    static boolean isExpired(Platform platform, ConnectionInfo info) {
        return info.expiration() != null && !platform.now().isBefore(info.expiration());
    }
}
