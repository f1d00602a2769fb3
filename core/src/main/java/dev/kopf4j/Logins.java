package dev.kopf4j;

import java.util.Optional;

/**
 * The built-in ways to log in, for login handlers that add to them or choose among them. Thread-safe. Made by the
 * framework; not to be implemented.
 */
public interface Logins {
    /**
     * The credential of the pod that the operator runs in; empty outside of one.
     *
     * @throws LoginException if there is one, but it cannot be read; with the reason
     */
    Optional<ConnectionInfo> serviceAccount();

    /**
     * The credential of the kubeconfig's current context: of the file that the operator was given, else of those in
     * {@code $KUBECONFIG}, else of {@code ~/.kube/config}. Empty if there is none. Runs the credential plugin that it
     * names. Later calls take the context that was the current one at the first call in this run of the operator.
     *
     * @throws LoginException if there is a kubeconfig, but it is of no use; with the reason
     * @throws InterruptedException if the task is interrupted while it waits for a plugin
     */
    Optional<ConnectionInfo> kubeconfig() throws InterruptedException;
}
