package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.LoginException;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.login.CredentialRetrieval.UsableCredential;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.SocketTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The credentials in use. Logs in when there are none left: at the beginning, when they have expired, when the server
 * has rejected them; however many requests find that out at once, there is one login. As long as logins do not help,
 * they come slower and slower, and all requests wait for the next one together. Streams that are open on a replaced
 * connection go on.
 *
 * <p>A rejected credential is refused if a login gives the same again, but only for a minute: the server may have been
 * wrong, and an operator must not become deaf by that for ever.
 */
public final class CredentialVault implements ConnectionProvider {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");
    private static final Duration DOUBTS_HEARD_EVERY = Duration.ofMinutes(1);

    private final Platform platform;
    private final CredentialRetrieval intake;
    private final ActionSchedule deadlines;

    /** Guards everything below. */
    private final Monitor monitor;

    private final List<UsableCredential> items = new ArrayList<>();
    private final RejectedCredentials rejected;
    private final LoginBackoff backoff;
    private boolean loggingIn;
    private boolean closed;
    private int rounds;
    private @Nullable LoginException lastFailure;
    private Deadline doubtsHeardFrom;

    /** An empty vault, which connects by sockets. */
    public CredentialVault(Platform platform, CredentialSource source, NetworkSettings settings) {
        ActionSchedule deadlines = new ActionSchedule(platform, "deadlines of requests");
        this(platform, source, info -> new SocketTransport(platform, info, settings, deadlines), deadlines);
    }

    /** An empty vault, which connects in a way of its own. */
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
        this.rejected = new RejectedCredentials(platform);
        this.backoff = new LoginBackoff(platform);
        this.intake = new CredentialRetrieval(platform, source, connector, this::isRejected);
        this.doubtsHeardFrom = platform.after(Duration.ZERO);
    }

    private boolean isRejected(String login, CredentialSnapshot snapshot) {
        return monitor.locked(() -> rejected.contains(login, snapshot));
    }

    /** What a request has to do for a connection. */
    private sealed interface LoginStep {
        record Use(UsableCredential usableCredential) implements LoginStep {}

        record LogIn(boolean initial) implements LoginStep {}

        record Wait(Deadline until) implements LoginStep {}

        record Fail(LoginException failure) implements LoginStep {}
    }

    @Override
    public ApiServerConnection current() throws InterruptedException {
        return usableCredential().apiServerConnection();
    }

    /**
     * The credential for the next request, for other clients; logs in first if need be.
     *
     * @throws LoginException if no credentials can be had
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    public ConnectionInfo info() throws InterruptedException {
        return usableCredential().info();
    }

    private UsableCredential usableCredential() throws InterruptedException {
        int since = monitor.locked(() -> rounds);
        while (true) {
            LoginStep loginStep =
                    monitor.await(() -> nextLoginStep(since), Deadline.NEVER).orElseThrow();
            switch (loginStep) {
                case LoginStep.Use(UsableCredential usableCredential) -> {
                    return usableCredential;
                }
                case LoginStep.LogIn(boolean initial) -> logIn(initial);
                case LoginStep.Wait(Deadline until) -> monitor.awaitTrue(() -> !items.isEmpty() || closed, until);
                case LoginStep.Fail(LoginException failure) ->
                    throw new LoginException(String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    /** Empty while another task logs in. */
    private Optional<LoginStep> nextLoginStep(int since) {
        dropExpired();
        if (closed) {
            return Optional.of(
                    new LoginStep.Fail(new LoginException("the connections are closed: the operator is ending")));
        }
        if (!items.isEmpty()) {
            return Optional.of(new LoginStep.Use(chosen()));
        }
        if (loggingIn) {
            return Optional.empty();
        }
        if (rounds > since && lastFailure != null) {
            return Optional.of(new LoginStep.Fail(lastFailure));
        }
        if (!backoff.isDue()) {
            return Optional.of(new LoginStep.Wait(backoff.due()));
        }
        loggingIn = true;
        return Optional.of(new LoginStep.LogIn(rounds == 0));
    }

    private void dropExpired() {
        items.removeIf(usableCredential -> {
            boolean expired = usableCredential.isExpired(platform);
            if (expired) {
                usableCredential.apiServerConnection().transport().closeWhenIdle();
            }
            return expired;
        });
    }

    private void drop(UsableCredential usableCredential) {
        items.remove(usableCredential);
        usableCredential.apiServerConnection().transport().closeWhenIdle();
    }

    /** Any one of those with the highest priority, so that equal ones share the load. */
    private UsableCredential chosen() {
        if (items.size() == 1) {
            return items.getFirst();
        }
        int highest = items.stream()
                .mapToInt(usableCredential -> usableCredential.info().priority())
                .max()
                .orElseThrow();
        List<UsableCredential> best = items.stream()
                .filter(usableCredential -> usableCredential.info().priority() == highest)
                .toList();
        return best.get(platform.random().nextInt(best.size()));
    }

    private void logIn(boolean initial) throws InterruptedException {
        String title = initial ? "Initial authentication" : "Re-authentication";
        log.info("{} has been initiated.", title);
        List<UsableCredential> retrieved = List.of();
        LoginException failure = null;
        try {
            retrieved = intake.retrieve();
            log.info("{} has finished.", title);
        } catch (LoginException e) {
            failure = e;
            // The first one is thrown to somebody who waits for the start; the others may hit streams, which only say
            // so.
            log.atLevel(initial ? Level.DEBUG : Level.WARN).log("{} has failed: {}", title, e.getMessage());
        } finally {
            finish(retrieved, failure);
        }
    }

    private void finish(List<UsableCredential> retrieved, @Nullable LoginException failure) {
        monitor.locked(() -> {
            loggingIn = false;
            rounds++;
            lastFailure = failure;
            if (failure == null) {
                backoff.succeeded();
            } else {
                backoff.failed();
            }
            if (closed) {
                retrieved.forEach(usableCredential ->
                        usableCredential.apiServerConnection().transport().close());
            } else {
                items.addAll(retrieved);
            }
        });
    }

    @Override
    public void reject(ApiServerConnection apiServerConnection, UnauthorizedException reason) {
        monitor.locked(() -> itemOf(apiServerConnection).ifPresent(usableCredential -> {
            rejected.add(usableCredential.login(), usableCredential.snapshot());
            drop(usableCredential);
            if (items.isEmpty()) {
                backoff.failed();
            }
        }));
    }

    @Override
    public void tlsFailed(ApiServerConnection apiServerConnection) {
        monitor.locked(() -> itemOf(apiServerConnection).ifPresent(usableCredential -> {
            if (doubtsHeardFrom.hasPassed(platform)) {
                doubtsHeardFrom = platform.after(DOUBTS_HEARD_EVERY);
                drop(usableCredential);
            }
        }));
    }

    private Optional<UsableCredential> itemOf(ApiServerConnection apiServerConnection) {
        return items.stream()
                .filter(usableCredential ->
                        usableCredential.apiServerConnection().equals(apiServerConnection))
                .findFirst();
    }

    @Override
    public void close() {
        monitor.locked(() -> {
            closed = true;
            items.forEach(usableCredential ->
                    usableCredential.apiServerConnection().transport().close());
            items.clear();
        });
        deadlines.close();
    }
}
