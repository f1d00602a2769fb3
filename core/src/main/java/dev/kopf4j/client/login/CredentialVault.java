package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.socket.SocketTransport;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds the credentials in use, and logs in when there are none left: at the beginning, when they have expired, and
 * when the server has rejected them. If many requests find that out at once, one of them logs in, and the others wait
 * for it. As long as logins do not help, they come slower and slower ({@link LoginBackoff}), and all requests wait for
 * the next one. Streams that are open on a replaced connection go on. Thread-safe.
 *
 * <p>A rejected credential is refused if a login gives the same one again, but only for a minute: the server may have
 * been wrong, and an operator must not stay without credentials for ever because of that.
 */
public final class CredentialVault implements ConnectionProvider {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    /** After a failed TLS handshake, a credential is dropped at most once in this time. */
    private static final Duration TLS_DROP_PERIOD = Duration.ofMinutes(1);

    private final Platform platform;
    private final CredentialRetrieval retrieval;
    private final ActionSchedule deadlines;

    /** Guards everything below. */
    private final Monitor monitor;

    private final UsableCredentials credentials;
    private final RejectedCredentials rejected;
    private final LoginRounds loginRounds;
    private Deadline nextTlsDrop;

    /** Makes an empty vault that connects by sockets. */
    public CredentialVault(Platform platform, CredentialSource source, NetworkSettings settings) {
        ActionSchedule deadlines = new ActionSchedule(platform, "deadlines of requests");
        this(platform, source, info -> new SocketTransport(platform, info, settings, deadlines), deadlines);
    }

    /** Makes an empty vault with a connector of the caller. */
    public CredentialVault(Platform platform, CredentialSource source, Function<ConnectionInfo, Transport> connector) {
        this(platform, source, connector, new ActionSchedule(platform, "deadlines of requests"));
    }

    private CredentialVault(
            Platform platform,
            CredentialSource source,
            Function<ConnectionInfo, Transport> connector,
            ActionSchedule deadlines) {
        this.deadlines = deadlines;
        this.platform = platform;
        this.monitor = platform.monitor();
        this.credentials = new UsableCredentials(platform);
        this.rejected = new RejectedCredentials(platform);
        this.loginRounds = new LoginRounds(platform, credentials);
        this.retrieval = new CredentialRetrieval(platform, source, connector, this::isRejected);
        this.nextTlsDrop = platform.after(Duration.ZERO);
    }

    private boolean isRejected(String login, CredentialSnapshot snapshot) {
        return monitor.locked(() -> rejected.contains(login, snapshot));
    }

    @Override
    public ApiServerConnection current() throws InterruptedException {
        return credential().connection();
    }

    /**
     * Returns the credential for the next request, for clients of other libraries. Logs in first if there is none.
     *
     * @throws NoCredentialsException if no login gives valid credentials
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    public ConnectionInfo info() throws InterruptedException {
        return credential().info();
    }

    @Override
    public ConnectionInfo renew(ConnectionInfo rejectedInfo) throws InterruptedException {
        monitor.locked(() -> credentials.of(rejectedInfo).ifPresent(this::drop));
        return info();
    }

    private UsableCredential credential() throws InterruptedException {
        int since = monitor.locked(loginRounds::ended);
        while (true) {
            LoginRounds.Step step =
                    monitor.await(() -> loginRounds.next(since), Deadline.NEVER).orElseThrow();
            switch (step) {
                case LoginRounds.Step.Use(UsableCredential credential) -> {
                    return credential;
                }
                case LoginRounds.Step.LogIn(boolean initial) -> logIn(initial);
                case LoginRounds.Step.Wait(Deadline until) -> monitor.awaitTrue(loginRounds::isOver, until);
                case LoginRounds.Step.Fail(NoCredentialsException failure) ->
                    throw new NoCredentialsException(String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    private void logIn(boolean initial) throws InterruptedException {
        String title = initial ? "Initial authentication" : "Re-authentication";
        log.info("{} has been initiated.", title);
        List<UsableCredential> retrieved = List.of();
        NoCredentialsException failure = null;
        try {
            retrieved = retrieval.retrieve();
            log.info("{} has finished.", title);
        } catch (NoCredentialsException e) {
            failure = e;
            // Whoever waits for the start gets the first failure as an exception. Later ones may hit streams, which do
            // not log them.
            log.atLevel(initial ? Level.DEBUG : Level.WARN).log("{} has failed: {}", title, e.getMessage());
        } finally {
            List<UsableCredential> found = retrieved;
            NoCredentialsException reason = failure;
            monitor.locked(() -> loginRounds.finish(found, reason));
        }
    }

    @Override
    public void reject(ApiServerConnection connection, UnauthorizedException reason) {
        monitor.locked(() -> credentials.of(connection).ifPresent(credential -> {
            drop(credential);
            log.info("The credentials of the login '{}' were rejected: {}", credential.login(), reason.getMessage());
        }));
    }

    private void drop(UsableCredential credential) {
        rejected.add(credential.login(), credential.snapshot());
        credentials.drop(credential);
        loginRounds.rejected();
    }

    @Override
    public void tlsFailed(ApiServerConnection connection) {
        monitor.locked(() -> credentials.of(connection).ifPresent(credential -> {
            if (nextTlsDrop.hasPassed(platform)) {
                nextTlsDrop = platform.after(TLS_DROP_PERIOD);
                credentials.drop(credential);
            }
        }));
    }

    @Override
    public void close() {
        monitor.locked(loginRounds::close);
        deadlines.close();
    }
}
