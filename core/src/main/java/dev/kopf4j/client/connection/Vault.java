package dev.kopf4j.client.connection;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.connection.CredentialIntake.Item;
import dev.kopf4j.client.error.LoginException;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.SocketTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
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
 * has rejected them; however many requests find that out at once, there is one login. Streams that are open on a
 * replaced connection go on.
 *
 * <p>A rejected credential is refused if a login gives the same again, but only for a minute: the server may have been
 * wrong, and an operator must not become deaf by that for ever.
 */
public final class Vault implements Connections {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");
    private static final Duration DOUBTS_HEARD_EVERY = Duration.ofMinutes(1);

    private final Platform platform;
    private final CredentialIntake intake;
    private final Schedule deadlines;

    /** Guards everything below. */
    private final Monitor monitor;

    private final List<Item> items = new ArrayList<>();
    private final RejectedCredentials rejected;
    private boolean loggingIn;
    private boolean closed;
    private int rounds;
    private @Nullable LoginException lastFailure;
    private Deadline doubtsHeardFrom;

    /** An empty vault, which connects by sockets. */
    public Vault(Platform platform, CredentialSource source, NetworkSettings settings) {
        Schedule deadlines = new Schedule(platform, "deadlines of requests");
        this(platform, source, info -> new SocketTransport(platform, info, settings, deadlines), deadlines);
    }

    /** An empty vault, which connects in a way of its own. */
    public Vault(Platform platform, CredentialSource source, Function<ConnectionInfo, Transport> connector) {
        this(platform, source, connector, new Schedule(platform, "deadlines of requests"));
    }

    private Vault(
            Platform platform,
            CredentialSource source,
            Function<ConnectionInfo, Transport> connector,
            Schedule deadlines) {
        this.deadlines = deadlines;
        this.platform = platform;
        this.monitor = platform.monitor();
        this.rejected = new RejectedCredentials(platform);
        this.intake = new CredentialIntake(platform, source, connector, this::isRejected);
        this.doubtsHeardFrom = platform.after(Duration.ZERO);
    }

    private boolean isRejected(String login, ConnectionInfo info) {
        return monitor.locked(() -> rejected.contains(login, info));
    }

    /** What a request has to do for a connection. */
    private sealed interface Turn {
        record Use(Item item) implements Turn {}

        record LogIn(boolean initial) implements Turn {}

        record Fail(LoginException failure) implements Turn {}
    }

    @Override
    public Connection current() throws InterruptedException {
        return item().connection();
    }

    /**
     * The credential for the next request, for other clients; logs in first if need be.
     *
     * @throws LoginException if no credentials can be had
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    public ConnectionInfo info() throws InterruptedException {
        return item().info();
    }

    private Item item() throws InterruptedException {
        int since = monitor.locked(() -> rounds);
        while (true) {
            Turn turn = monitor.await(() -> turn(since), Deadline.NEVER).orElseThrow();
            switch (turn) {
                case Turn.Use(Item item) -> {
                    return item;
                }
                case Turn.LogIn(boolean initial) -> logIn(initial);
                case Turn.Fail(LoginException failure) ->
                    throw new LoginException(String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    /** Empty while another task logs in. */
    private Optional<Turn> turn(int since) {
        dropExpired();
        if (closed) {
            return Optional.of(new Turn.Fail(new LoginException("the connections are closed: the operator is ending")));
        }
        if (!items.isEmpty()) {
            return Optional.of(new Turn.Use(chosen()));
        }
        if (loggingIn) {
            return Optional.empty();
        }
        if (rounds > since && lastFailure != null) {
            return Optional.of(new Turn.Fail(lastFailure));
        }
        loggingIn = true;
        return Optional.of(new Turn.LogIn(rounds == 0));
    }

    private void dropExpired() {
        items.removeIf(item -> {
            boolean expired = item.isExpired(platform);
            if (expired) {
                item.connection().transport().retire();
            }
            return expired;
        });
    }

    private void drop(Item item) {
        items.remove(item);
        item.connection().transport().retire();
    }

    /** Any one of those with the highest priority, so that equal ones share the load. */
    private Item chosen() {
        if (items.size() == 1) {
            return items.getFirst();
        }
        int highest =
                items.stream().mapToInt(item -> item.info().priority()).max().orElseThrow();
        List<Item> best =
                items.stream().filter(item -> item.info().priority() == highest).toList();
        return best.get(platform.random().nextInt(best.size()));
    }

    private void logIn(boolean initial) throws InterruptedException {
        String title = initial ? "Initial authentication" : "Re-authentication";
        log.info("{} has been initiated.", title);
        List<Item> retrieved = List.of();
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

    private void finish(List<Item> retrieved, @Nullable LoginException failure) {
        monitor.locked(() -> {
            loggingIn = false;
            rounds++;
            lastFailure = failure;
            if (closed) {
                retrieved.forEach(item -> item.connection().transport().close());
            } else {
                items.addAll(retrieved);
            }
        });
    }

    @Override
    public void reject(Connection connection, UnauthorizedException reason) {
        monitor.locked(() -> itemOf(connection).ifPresent(item -> {
            rejected.add(item.login(), item.info());
            drop(item);
        }));
    }

    @Override
    public void doubt(Connection connection) {
        monitor.locked(() -> itemOf(connection).ifPresent(item -> {
            if (doubtsHeardFrom.hasPassed(platform)) {
                doubtsHeardFrom = platform.after(DOUBTS_HEARD_EVERY);
                drop(item);
            }
        }));
    }

    private Optional<Item> itemOf(Connection connection) {
        return items.stream()
                .filter(item -> item.connection().equals(connection))
                .findFirst();
    }

    @Override
    public void close() {
        monitor.locked(() -> {
            closed = true;
            items.forEach(item -> item.connection().transport().close());
            items.clear();
        });
        deadlines.close();
    }
}
