package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.LoginException;
import java.util.Map;

/** Where credentials come from: the built-in logins, or login handlers. */
@FunctionalInterface
public interface CredentialSource {
    /**
     * Logs in.
     *
     * @return the credentials by the id of what gave them; of several, those of the highest priority are used
     * @throws LoginException if there are none, with the reason
     * @throws InterruptedException if the task is interrupted
     */
    Map<String, ConnectionInfo> retrieve() throws InterruptedException;
}
