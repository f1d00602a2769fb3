package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import java.util.Map;

/** Gives credentials: the built-in logins, or login handlers. */
@FunctionalInterface
public interface CredentialSource {
    /**
     * Logs in.
     *
     * @return the credentials by the ids of the logins that gave them; those with the highest priority are used
     * @throws NoCredentialsException if there are none; the message says why
     * @throws InterruptedException if the task is interrupted
     */
    Map<String, ConnectionInfo> retrieve() throws InterruptedException;
}
