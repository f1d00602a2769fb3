package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.error.NoCredentialsException;
import java.util.Optional;

/**
 * The logins as login handlers see them: their failures are of a type that users know. Thread-safe.
 *
 * @param logins the logins
 */
public record ReportingLogins(Logins logins) implements Logins {
    @Override
    public Optional<ConnectionInfo> serviceAccount() {
        try {
            return logins.serviceAccount();
        } catch (NoCredentialsException e) {
            throw e.forUsers();
        }
    }

    @Override
    public Optional<ConnectionInfo> kubeconfig() throws InterruptedException {
        try {
            return logins.kubeconfig();
        } catch (NoCredentialsException e) {
            throw e.forUsers();
        }
    }
}
