package dev.kopf4j.client.login;

import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.UsableCredentials.UsableCredential;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the tasks that need a credential logs in, and when; the others wait for it. Guarded by the lock of
 * the vault.
 */
final class LoginRounds {
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
            return Optional.of(
                    new Step.Fail(new NoCredentialsException("the connections are closed: the operator is ending")));
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
     * @param failure why it has given no credentials; null if it has given some
     */
    void finish(List<UsableCredential> retrieved, @Nullable NoCredentialsException failure) {
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
     * The delays between logins: none if the last login's credentials have been good for a minute, longer and longer
     * ones if logins fail or give credentials that the server rejects soon. Confined to its owner's lock.
     */
    static final class LoginBackoff {
        /**
         * A login may run a command or ask a person, so it must not come often; nor must people wait long for a repair.
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
