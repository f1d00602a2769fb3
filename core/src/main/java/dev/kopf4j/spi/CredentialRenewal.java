package dev.kopf4j.spi;

import dev.kopf4j.ConnectionInfo;

/**
 * Gives clients of other libraries new credentials for those that the server does not accept any more (401). One login
 * serves all clients that ask at the same time, and the operator's own requests; as long as logins do not help, they
 * come slower and slower. Thread-safe.
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
}
