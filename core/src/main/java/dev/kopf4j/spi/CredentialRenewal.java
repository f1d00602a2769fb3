package dev.kopf4j.spi;

import dev.kopf4j.ConnectionInfo;

/**
 * Keeps clients of other libraries in step with the operator: with new credentials for those that the server does not
 * accept any more, and with what the operator itself has changed to, perhaps another server. One login serves all
 * clients that ask at the same time, and the operator's own requests; as long as logins do not help, they come slower
 * and slower. Thread-safe.
 *
 * <p>What is returned may equal what was used, although its files were replaced meanwhile: clients read them again.
 */
@FunctionalInterface
public interface CredentialRenewal {
    /**
     * Returns what to use from now on; the same if there is nothing else. It may log in, and so take a while.
     *
     * @param rejected what the server has answered 401 to
     * @throws RuntimeException if no login gives valid credentials; the message says why
     * @throws InterruptedException if the task is interrupted meanwhile
     */
    ConnectionInfo renew(ConnectionInfo rejected) throws InterruptedException;

    /**
     * Returns what to use from now on when a TLS handshake has failed, perhaps because certificates were replaced. It
     * may log in, at most once a minute. By default there is nothing else.
     *
     * @throws RuntimeException if no login gives valid credentials; the message says why
     * @throws InterruptedException if the task is interrupted meanwhile
     */
    default ConnectionInfo tlsFailed(ConnectionInfo used) throws InterruptedException {
        return used;
    }

    /**
     * Returns what to use for the next request, without a login: the same as long as the operator itself uses it, or if
     * it has nothing else at the moment. By default always the same.
     */
    default ConnectionInfo latest(ConnectionInfo used) {
        return used;
    }
}
