package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.login.CredentialVault.LoginRounds.LoginBackoff;
import dev.kopf4j.client.login.CredentialVault.UsableCredentials.CredentialSnapshot;
import dev.kopf4j.client.login.CredentialVault.UsableCredentials.ServerIdentity;
import dev.kopf4j.client.login.CredentialVault.UsableCredentials.UsableCredential;
import dev.kopf4j.client.socket.SocketTransport;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds the credentials in use, and logs in when there are none left: at the beginning, when they have expired, and
 * when the server has rejected them. If many requests find that out at once, one of them logs in, and the others wait
 * for it. As long as logins do not help, they come slower and slower ({@link LoginBackoff}), and all requests wait for
 * the next one. Streams that are open on a replaced connection go on. Thread-safe.
 *
 * <p>A rejected credential is refused if a login gives the same one again, but not for ever: the server, or one of
 * several, may have been wrong, and an operator must not stay without credentials because of that. After a second, and
 * after growing pauses up to a minute, the login asks the API server, so that all others wait for one request. Before a
 * credential is given up, the API server itself is asked, too: what one aggregated API rejects stays in use for the
 * others, and so does what the API server has no time to judge.
 *
 * <p>Only credentials of the server in use count: the address of those that were the best ones, or the addresses, if
 * these had the same priority. Those of other servers, which may be other clusters, are used when a login has given
 * none for these any more ({@link #serverChanges()}).
 */
public final class CredentialVault implements ConnectionProvider {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    /** After a failed TLS handshake, a credential is dropped at most once in this time. */
    private static final Duration TLS_DROP_PERIOD = Duration.ofMinutes(1);

    /** Small, and only for those whom the server knows. */
    private static final TransportRequest QUESTION = TransportRequest.get("/api");

    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(10);

    /** That a credential was kept is told at most once in this time. */
    private static final Duration KEPT_REPORT_PERIOD = Duration.ofMinutes(1);

    private final Platform platform;
    private final CredentialRetrieval retrieval;
    private final ActionSchedule deadlines;
    private final AtomicInteger serverChanges = new AtomicInteger();

    /** Guards everything below. */
    private final Monitor monitor;

    private final UsableCredentials credentials;
    private final RejectedCredentials rejected;
    private final LoginRounds loginRounds;
    private Deadline nextTlsDrop;
    private Deadline nextKeptReport;

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
        this.retrieval = new CredentialRetrieval(platform, source, connector, this::isRejected, this::isRejectedAgain);
        this.nextTlsDrop = platform.after(Duration.ZERO);
        this.nextKeptReport = nextTlsDrop;
    }

    private boolean isRejected(String login, CredentialSnapshot snapshot) {
        return monitor.locked(() -> rejected.contains(login, snapshot));
    }

    /** Asks about a credential that was rejected before. If nobody answers, the requests will find it out. */
    private boolean isRejectedAgain(UsableCredential credential) throws InterruptedException {
        boolean again = monitor.locked(() -> rejected.remembers(credential.login(), credential.snapshot()))
                && verdict(credential.connection(), Deadline.NEVER) == Verdict.REJECTED;
        if (again) {
            monitor.locked(() -> rejected.add(credential.login(), credential.snapshot()));
        }
        return again;
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
        UsableCredential credential =
                monitor.locked(() -> credentials.of(rejectedInfo)).orElse(null);
        if (credential != null && verdict(credential.connection(), Deadline.NEVER) == Verdict.REJECTED) {
            monitor.locked(() -> drop(credential));
        }
        return info();
    }

    @Override
    public ConnectionInfo tlsFailed(ConnectionInfo used) throws InterruptedException {
        monitor.locked(() -> credentials.of(used).ifPresent(this::dropUnsecured));
        return info();
    }

    @Override
    public ConnectionInfo latest(ConnectionInfo used) {
        return monitor.locked(() -> credentials
                .of(used)
                .or(credentials::choose)
                .map(UsableCredential::info)
                .orElse(used));
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
            retrieved = retrieval.retrieve(initial);
            log.info("{} has finished.", title);
        } catch (NoCredentialsException e) {
            failure = e;
            // Whoever waits for the start gets the first failure as an exception. Later ones may hit streams, which do
            // not log them.
            log.atLevel(initial ? Level.DEBUG : Level.WARN).log("{} has failed: {}", title, e.getMessage());
        } finally {
            List<UsableCredential> found = retrieved;
            NoCredentialsException reason = failure;
            monitor.locked(() -> finish(found, reason)).ifPresent(text -> log.warn("{}", text));
        }
    }

    /** The change counts before anybody can use the other server. */
    private Optional<String> finish(List<UsableCredential> retrieved, @Nullable NoCredentialsException failure) {
        Optional<String> otherServer = loginRounds.finish(retrieved, failure);
        otherServer.ifPresent(_ -> serverChanges.incrementAndGet());
        return otherServer;
    }

    @Override
    public int serverChanges() {
        return serverChanges.get();
    }

    @Override
    public boolean reject(ApiServerConnection connection, UnauthorizedException reason, Deadline until)
            throws InterruptedException {
        UsableCredential credential =
                monitor.locked(() -> credentials.of(connection)).orElse(null);
        if (credential == null) {
            return true;
        }
        Verdict verdict = verdict(connection, until);
        if (verdict != Verdict.REJECTED) {
            boolean told = monitor.locked(() -> {
                boolean again = nextKeptReport.hasPassed(platform);
                nextKeptReport = again ? platform.after(KEPT_REPORT_PERIOD) : nextKeptReport;
                return again;
            });
            log.atLevel(told ? Level.WARN : Level.DEBUG)
                    .log(
                            "One request was rejected, though the API server {} the credentials of the login "
                                    + "'{}', which stay in use. The server of an aggregated API may have rejected "
                                    + "it: {}",
                            verdict == Verdict.ACCEPTED ? "accepts" : "does not say that it rejects",
                            credential.login(),
                            reason.getMessage());
            return false;
        }
        if (monitor.locked(() -> drop(credential))) {
            log.info("The credentials of the login '{}' were rejected: {}", credential.login(), reason.getMessage());
        }
        return true;
    }

    /**
     * Asks the API server itself, for what only those see whom it knows. A server behind it, such as that of an
     * aggregated API, rejects credentials for reasons of its own, and must not take them from all other requests.
     */
    private Verdict verdict(ApiServerConnection connection, Deadline until) throws InterruptedException {
        Deadline deadline = platform.after(ANSWERED_WITHIN).orEarlier(until);
        try {
            return switch (connection.transport().send(QUESTION, deadline).status()) {
                case 401 -> Verdict.REJECTED;
                // Whom it does not permit this, it knows.
                case 200, 403 -> Verdict.ACCEPTED;
                default -> Verdict.UNKNOWN;
            };
        } catch (IOException e) {
            log.debug("The API server does not say whether it accepts the credentials: {}", e.getMessage());
            return Verdict.UNKNOWN;
        }
    }

    /** What the API server says of credentials. */
    private enum Verdict {
        ACCEPTED,
        REJECTED,
        /** It has no time to say, or nobody has heard it. */
        UNKNOWN
    }

    /** Returns false if another task has dropped it already. */
    private boolean drop(UsableCredential credential) {
        if (credentials.of(credential.connection()).isEmpty()) {
            return false;
        }
        rejected.add(credential.login(), credential.snapshot());
        credentials.drop(credential);
        loginRounds.rejected();
        return true;
    }

    @Override
    public void tlsFailed(ApiServerConnection connection) {
        monitor.locked(() -> credentials.of(connection).ifPresent(this::dropUnsecured));
    }

    private void dropUnsecured(UsableCredential credential) {
        if (nextTlsDrop.hasPassed(platform)) {
            nextTlsDrop = platform.after(TLS_DROP_PERIOD);
            credentials.drop(credential);
        }
    }

    @Override
    public void close() {
        monitor.locked(loginRounds::close);
        deadlines.close();
    }

    /**
     * Logs in, drops credentials that are expired or were just rejected, and makes connections of the others.
     * Thread-safe.
     *
     * @param source gives credentials
     * @param connector makes transports
     * @param rejected true for a credential, with the id of its login, that the server has just rejected
     * @param rejectedAgain true for one that was rejected before, if the server says that it still is
     */
    private record CredentialRetrieval(
            Platform platform,
            CredentialSource source,
            Function<ConnectionInfo, Transport> connector,
            BiPredicate<String, CredentialSnapshot> rejected,
            Question rejectedAgain) {

        /** What is asked of the server. */
        @FunctionalInterface
        interface Question {
            boolean of(UsableCredential credential) throws InterruptedException;
        }

        /**
         * Logs in; throws {@link NoCredentialsException} if no credential can be used.
         *
         * @param initial true if another context of the kubeconfig would be used: later logins keep to the first one's
         */
        List<UsableCredential> retrieve(boolean initial) throws InterruptedException {
            Map<String, ConnectionInfo> credentials = source.retrieve();
            if (credentials.isEmpty()) {
                throw new NoCredentialsException("no credentials were retrieved from the login handlers.");
            }
            List<UsableCredential> usable = new ArrayList<>();
            List<String> reasons = new ArrayList<>();
            boolean complete = false;
            try {
                for (Map.Entry<String, ConnectionInfo> entry : credentials.entrySet()) {
                    use(entry.getKey(), entry.getValue(), usable, reasons);
                }
                complete = true;
            } finally {
                if (!complete) {
                    usable.forEach(each -> each.connection().transport().close());
                }
            }
            if (usable.isEmpty()) {
                throw new NoCredentialsException("Ran out of valid credentials: " + String.join("; ", reasons)
                        + ". Log in again, renew what has expired, or "
                        + (initial ? "choose" : "start the operator again with")
                        + " another context of the kubeconfig.");
            }
            return usable;
        }

        /** One that cannot be used is no reason to do without the others. */
        private void use(String login, ConnectionInfo info, List<UsableCredential> usable, List<String> reasons)
                throws InterruptedException {
            boolean overdue = UsableCredential.isExpired(platform, info);
            CredentialSnapshot snapshot = CredentialSnapshot.of(
                    overdue ? info.toBuilder().expiration(null).build() : info);
            try {
                Optional<String> reason = whyUnusable(login, snapshot, overdue);
                if (reason.isPresent()) {
                    reasons.add(reason.get());
                    return;
                }
                UsableCredential made = connected(login, snapshot);
                usable.add(made); // closed with the others if the question is interrupted
                if (rejectedAgain.of(made)) {
                    usable.remove(made);
                    made.connection().transport().close();
                    reasons.add(rejection(login, info));
                }
            } catch (UnusableCredentialException e) {
                log.warn("Not used: {}", e.getMessage());
                reasons.add(String.valueOf(e.getMessage()));
            }
        }

        private static String rejection(String login, ConnectionInfo info) {
            return "that of the login '" + login + "' has just been rejected by " + info.server();
        }

        /**
         * Returns why a credential cannot be used; empty if it can. What has just been given counts, though it has
         * expired by the clock of this machine: that of the server may be another one, and decides.
         */
        private Optional<String> whyUnusable(String login, CredentialSnapshot snapshot, boolean overdue) {
            ConnectionInfo info = snapshot.info();
            if (rejected.test(login, snapshot)) {
                return Optional.of(rejection(login, info));
            }
            if (overdue) {
                log.warn(
                        "The login '{}' has given a credential that has expired already by the clock of this machine. It"
                                + " is used until the server rejects it; if the server does not, one of the clocks is"
                                + " wrong.",
                        login);
                return Optional.empty();
            }
            return expiredClientCertificate(login, info)
                    .map(certificate -> "the client certificate of the login '" + login + "' ("
                            + certificate.getSubjectX500Principal() + ") has expired at "
                            + certificate.getNotAfter().toInstant());
        }

        /** Returns the expired certificate if the credential has nothing else that proves an identity. */
        private Optional<X509Certificate> expiredClientCertificate(String login, ConnectionInfo info) {
            if (info.token() != null || info.tokenPath() != null || info.username() != null) {
                return Optional.empty();
            }
            return unlessUnusable(login, () -> TlsContext.clientCertificate(info))
                    .filter(certificate -> certificate.getNotAfter().toInstant().isBefore(platform.now()));
        }

        private UsableCredential connected(String login, CredentialSnapshot snapshot) {
            ConnectionInfo info = snapshot.info();
            String namespace = Optional.ofNullable(info.defaultNamespace()).orElse("default");
            return unlessUnusable(
                    login,
                    () -> new UsableCredential(
                            login,
                            snapshot,
                            new ApiServerConnection(connector.apply(info), info.server(), namespace),
                            ServerIdentity.of(info)));
        }

        private static <T> T unlessUnusable(String login, Supplier<T> made) {
            try {
                return made.get();
            } catch (IllegalArgumentException e) {
                throw new UnusableCredentialException(
                        "that of the login '" + login + "' cannot be used: " + e.getMessage(), e);
            }
        }

        /** A certificate or key cannot be read. */
        private static final class UnusableCredentialException extends RuntimeException {
            @Serial
            private static final long serialVersionUID = 1L;

            UnusableCredentialException(String message, Throwable cause) {
                super(message, cause);
            }
        }
    }

    /**
     * The last few credentials of each login that the server has rejected: a second at first, and for longer each time
     * that it rejects them again. Confined to its owner's lock.
     */
    static final class RejectedCredentials {
        private static final int KEPT_MAX = 3;
        private static final Duration FIRST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofMinutes(1);

        private final Platform platform;
        private final Map<String, Deque<Rejected>> byLogin = new HashMap<>();

        RejectedCredentials(Platform platform) {
            this.platform = platform;
        }

        private record Rejected(CredentialSnapshot snapshot, Duration pause, Deadline until) {}

        void add(String login, CredentialSnapshot snapshot) {
            Deque<Rejected> last = byLogin.computeIfAbsent(login, any -> new ArrayDeque<>());
            Duration pause = find(login, snapshot).map(this::next).orElse(FIRST);
            last.removeIf(one -> one.snapshot().equals(snapshot));
            last.addLast(new Rejected(snapshot, pause, platform.after(pause)));
            if (last.size() > KEPT_MAX) {
                last.removeFirst();
            }
        }

        /** What was good for long since begins afresh. */
        private Duration next(Rejected before) {
            if (before.until().plus(LONGEST).hasPassed(platform)) {
                return FIRST;
            }
            Duration doubled = before.pause().multipliedBy(2);
            return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        }

        /** True if the server is not even asked about it. */
        boolean contains(String login, CredentialSnapshot snapshot) {
            return find(login, snapshot)
                    .filter(one -> !one.until().hasPassed(platform))
                    .isPresent();
        }

        /** True if the server has rejected it, at whatever time. */
        boolean remembers(String login, CredentialSnapshot snapshot) {
            return find(login, snapshot).isPresent();
        }

        private Optional<Rejected> find(String login, CredentialSnapshot snapshot) {
            return byLogin.getOrDefault(login, new ArrayDeque<>()).stream()
                    .filter(one -> one.snapshot().equals(snapshot))
                    .findFirst();
        }
    }

    /**
     * Decides which of the tasks that need a credential logs in, and when; the others wait for it. Guarded by the lock
     * of the vault.
     */
    static final class LoginRounds {
        /** What a task that needs a connection has to do next. */
        sealed interface Step {
            /** Use this credential. */
            record Use(UsableCredential credential) implements Step {}

            /**
             * Log in, for all tasks that wait.
             *
             * @param initial true if nobody has logged in before
             */
            record LogIn(boolean initial) implements Step {}

            /** Wait until then: the last login has not helped. */
            record Wait(Deadline until) implements Step {}

            /** Give up. */
            record Fail(NoCredentialsException failure) implements Step {}
        }

        private final UsableCredentials credentials;
        private final LoginBackoff backoff;
        private boolean loggingIn;
        private boolean closed;
        private int ended;
        private @Nullable NoCredentialsException lastFailure;

        LoginRounds(Platform platform, UsableCredentials credentials) {
            this.credentials = credentials;
            this.backoff = new LoginBackoff(platform);
        }

        /** How many logins have ended. */
        int ended() {
            return ended;
        }

        /**
         * What a task has to do; empty while another one logs in.
         *
         * @param since how many logins had ended when the task began to ask
         */
        Optional<Step> next(int since) {
            credentials.dropExpired();
            if (closed) {
                return Optional.of(new Step.Fail(
                        new NoCredentialsException("the connections are closed: the operator is ending")));
            }
            Optional<Step> use = credentials.choose().map(Step.Use::new);
            if (use.isPresent() || loggingIn) {
                return use;
            }
            if (ended > since && lastFailure != null) {
                return Optional.of(new Step.Fail(lastFailure));
            }
            if (!backoff.isDue()) {
                return Optional.of(new Step.Wait(backoff.due()));
            }
            loggingIn = true;
            return Optional.of(new Step.LogIn(ended == 0));
        }

        /** True if nobody has to wait for a login: there is a credential, or there will be none any more. */
        boolean isOver() {
            return !credentials.isEmpty() || closed;
        }

        /**
         * A login has ended.
         *
         * @param failure why it has given no credentials; null if it has given some, or was broken off
         * @return what to tell if requests go on at another server
         */
        Optional<String> finish(List<UsableCredential> retrieved, @Nullable NoCredentialsException failure) {
            loggingIn = false;
            ended++;
            lastFailure = failure;
            if (failure == null) {
                backoff.succeeded();
            } else {
                backoff.failed();
            }
            credentials.addAll(retrieved);
            if (closed) {
                credentials.closeAll();
            }
            // A login that was interrupted, or has failed unexpectedly, says nothing about the server in use.
            return failure == null && retrieved.isEmpty() ? Optional.empty() : credentials.chooseServers();
        }

        /** The server has rejected a credential: if that was the last one, the login has not helped. */
        void rejected() {
            if (credentials.isEmpty()) {
                backoff.failed();
            }
        }

        /** From now on nobody logs in, and all connections are closed. */
        void close() {
            closed = true;
            credentials.closeAll();
        }

        /**
         * The delays between logins: none if the last login's credentials have been good for a minute, longer and
         * longer ones if logins fail or give credentials that the server rejects soon. Confined to its owner's lock.
         */
        static final class LoginBackoff {
            /**
             * A login may run a command or ask a person, so it must not come often; nor must people wait long for a
             * repair.
             */
            private static final List<Duration> DELAYS =
                    Stream.of(0, 1, 1, 2, 3, 5, 8, 10).map(Duration::ofSeconds).toList();

            private static final Duration GOOD_AFTER = Duration.ofMinutes(1);

            private final Platform platform;
            private int failures;
            private Deadline due;
            private Deadline goodFrom;

            LoginBackoff(Platform platform) {
                this.platform = platform;
                this.due = platform.after(Duration.ZERO);
                this.goodFrom = due;
            }

            /** When the next login may begin. */
            Deadline due() {
                return due;
            }

            boolean isDue() {
                return due.hasPassed(platform);
            }

            /** A login has given credentials; they count as good if nothing rejects them for a minute. */
            void succeeded() {
                goodFrom = platform.after(GOOD_AFTER);
            }

            /** A login has failed, or the server has rejected the last credential of a login. */
            void failed() {
                if (goodFrom.hasPassed(platform)) {
                    failures = 0;
                }
                due = platform.after(DELAYS.get(Math.min(failures, DELAYS.size() - 1)));
                failures++;
                goodFrom = platform.after(GOOD_AFTER);
            }
        }
    }

    /** The credentials in use, with their connections. Confined to the lock of the vault. */
    static final class UsableCredentials {
        private final Platform platform;
        private final List<UsableCredential> credentials = new ArrayList<>();
        /** Those in use; none before the first login. */
        private List<ServerIdentity> servers = List.of();

        UsableCredentials(Platform platform) {
            this.platform = platform;
        }

        /** True if there are none for the servers in use. */
        boolean isEmpty() {
            return usable().isEmpty();
        }

        private List<UsableCredential> usable() {
            return credentials.stream()
                    .filter(credential -> servers.stream().anyMatch(credential.server()::matches))
                    .toList();
        }

        /** Adds what a login has given; it takes the place of all that is for servers that are not in use. */
        void addAll(List<UsableCredential> retrieved) {
            if (!retrieved.isEmpty()) {
                List.copyOf(credentials).forEach(this::drop);
                credentials.addAll(retrieved);
            }
        }

        /**
         * Chooses the servers to use: those before, as long as there are credentials for them, with others of the same
         * priority. Else those of the highest priority.
         *
         * @return what to tell if these are others than before
         */
        Optional<String> chooseServers() {
            List<UsableCredential> same = usable();
            List<UsableCredential> left = same.isEmpty() ? credentials : same;
            if (left.isEmpty()) {
                return Optional.empty();
            }
            int highest = highestPriority(left);
            List<UsableCredential> best = withPriority(highest, credentials);
            List<ServerIdentity> before = servers;
            servers = best.stream().map(UsableCredential::server).distinct().toList();
            return before.isEmpty() || !same.isEmpty()
                    ? Optional.empty()
                    : Optional.of(best.getFirst().insteadOf(before.getFirst()));
        }

        private static int highestPriority(List<UsableCredential> some) {
            return some.stream()
                    .mapToInt(credential -> credential.info().priority())
                    .max()
                    .orElseThrow();
        }

        private static List<UsableCredential> withPriority(int priority, List<UsableCredential> some) {
            return some.stream()
                    .filter(credential -> credential.info().priority() == priority)
                    .toList();
        }

        /**
         * Returns any one of those with the highest priority, so that equal ones share the load; empty if there are
         * none for the servers in use.
         */
        Optional<UsableCredential> choose() {
            List<UsableCredential> usable = usable();
            if (usable.size() <= 1) {
                return usable.stream().findFirst();
            }
            List<UsableCredential> best = withPriority(highestPriority(usable), usable);
            return Optional.of(best.get(platform.random().nextInt(best.size())));
        }

        Optional<UsableCredential> of(ApiServerConnection connection) {
            return credentials.stream()
                    .filter(credential -> credential.connection().equals(connection))
                    .findFirst();
        }

        Optional<UsableCredential> of(ConnectionInfo info) {
            return credentials.stream()
                    .filter(credential -> credential.info().equals(info))
                    .findFirst();
        }

        void dropExpired() {
            credentials.removeIf(credential -> {
                boolean expired = credential.isExpired(platform);
                if (expired) {
                    credential.connection().transport().closeWhenIdle();
                }
                return expired;
            });
        }

        /** Requests and streams that are open on its connection go on. */
        void drop(UsableCredential credential) {
            credentials.remove(credential);
            credential.connection().transport().closeWhenIdle();
        }

        void closeAll() {
            credentials.forEach(
                    credential -> credential.connection().transport().close());
            credentials.clear();
        }

        /**
         * A credential of a login, with the content of its files at that moment. If a file is replaced, the credential
         * is another one, although its path is the same. Immutable.
         *
         * @param info the credential
         * @param files the contents of its files
         */
        record CredentialSnapshot(ConnectionInfo info, List<String> files) {
            /** Reads the files of a credential. */
            static CredentialSnapshot of(ConnectionInfo info) {
                return new CredentialSnapshot(
                        info,
                        Stream.of(info.tokenPath(), info.certificatePath(), info.privateKeyPath())
                                .filter(Objects::nonNull)
                                .map(CredentialSnapshot::content)
                                .toList());
            }

            /** A file that cannot be read counts as empty: whoever uses the credential reports it. */
            private static String content(String path) {
                try {
                    return Files.readString(Path.of(path)).strip();
                } catch (IOException e) {
                    return "";
                }
            }

            /** Leaves out the files, which hold secrets. */
            @Override
            public String toString() {
                return info.toString();
            }
        }

        /**
         * A credential with the connection made of it. Immutable.
         *
         * @param login the id of the login that gave it
         * @param server where it leads
         */
        record UsableCredential(
                String login, CredentialSnapshot snapshot, ApiServerConnection connection, ServerIdentity server) {
            ConnectionInfo info() {
                return snapshot.info();
            }

            /** What to tell when this one's server takes the place of another one. */
            String insteadOf(ServerIdentity before) {
                String difference = before.address().equals(server.address())
                        ? "the server " + server.address() + " with another certificate authority than before"
                        : "the server " + server.address() + ", instead of " + before.address();
                return "The login '" + login + "' leads to " + difference + ". Everything is listed anew there. If that"
                        + " is another cluster, stop the operator: its handlers work in it from now on.";
            }

            boolean isExpired(Platform platform) {
                return isExpired(platform, info());
            }

            static boolean isExpired(Platform platform, ConnectionInfo info) {
                return info.expiration() != null && !platform.now().isBefore(info.expiration());
            }
        }

        /**
         * How one server is told from another one. Immutable.
         *
         * @param address its URL
         * @param authorities who may sign its certificates; empty if that is not known
         */
        record ServerIdentity(String address, Set<X509Certificate> authorities) {
            static ServerIdentity of(ConnectionInfo info) {
                return new ServerIdentity(info.server(), TlsContext.authorities(info));
            }

            /** One that is being given other authorities has old and new ones for a while. */
            boolean matches(ServerIdentity other) {
                boolean unknown = authorities.isEmpty() || other.authorities.isEmpty();
                return address.equals(other.address)
                        && (unknown || !Collections.disjoint(authorities, other.authorities));
            }
        }
    }
}
