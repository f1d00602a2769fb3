package dev.kopf4j;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Everything that one call of an activity's handler can know.
 *
 * <p>Given to lambdas; methods take what they need as parameters. Valid during the call. Made by the framework; not to
 * be implemented.
 */
public interface ActivityContext extends MemoryAccess {
    /** The id of the handler. */
    String handlerId();

    /** Which activity. */
    Activity activity();

    /** The settings of this run of the operator: start-up handlers may change them, for others they are read-only. */
    OperatorSettings settings();

    /** The value given at the registration; null if none was. */
    @Nullable Object param();

    /**
     * The same in its type; empty if none was given.
     *
     * @throws ClassCastException if it is of another type
     */
    default <T> Optional<T> param(Class<T> type) {
        return Optional.ofNullable(type.cast(param()));
    }

    /** How many attempts there were before this one. */
    int retry();

    /** When the activity began. */
    Instant started();

    /** The time since {@link #started}. */
    Duration runtime();

    /**
     * The clock that the operator lives by: in tests in virtual time it is theirs, where {@code Instant.now()} is not.
     */
    InstantSource clock();

    /** The logger of the activity: {@code kopf4j.activities.startup}. */
    Logger logger();

    /** The built-in ways to log in, for login handlers. */
    Logins logins();

    /**
     * A service of an integration, such as a client library's client. Not for login handlers, which give the
     * credentials that it needs.
     */
    <T> T service(Class<T> type);
}
