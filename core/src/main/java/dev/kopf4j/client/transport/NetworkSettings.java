package dev.kopf4j.client.transport;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How requests are sent, and sent again. Immutable.
 *
 * @param requestTimeout how long an attempt may take from the start to the end of the answer; default 5 minutes
 * @param connectTimeout how long opening a connection may take; null (the default) for the request's timeout
 * @param errorBackoffs the delays between attempts: one more attempt than there are delays, read anew for each request;
 *     may be without an end; default 1, 1, 2, 3, 5, 8, 13, 21 seconds; empty for a single attempt
 * @param enforceRetryAfter whether the server's {@code Retry-After} wins also where it is shorter; default false
 * @param requestsInFlight how many requests run at a time, watches not counted; the others wait; default 32
 * @param trustEnv whether proxies of the environment are honoured; default false
 */
public record NetworkSettings(
        Duration requestTimeout,
        @Nullable Duration connectTimeout,
        Iterable<Duration> errorBackoffs,
        boolean enforceRetryAfter,
        int requestsInFlight,
        boolean trustEnv) {

    /** The defaults. */
    public static final NetworkSettings DEFAULTS = new NetworkSettings(
            Duration.ofMinutes(5),
            null,
            Stream.of(1, 1, 2, 3, 5, 8, 13, 21).map(Duration::ofSeconds).toList(),
            false,
            32,
            false);

    /** Checks the limits. */
    public NetworkSettings {
        if (requestTimeout.isNegative() || requestTimeout.isZero()) {
            throw new IllegalArgumentException("requestTimeout must be positive: " + requestTimeout);
        }
        if (requestsInFlight < 1) {
            throw new IllegalArgumentException("requestsInFlight must be at least 1: " + requestsInFlight);
        }
    }

    /** The same with this time for a request. */
    public NetworkSettings withRequestTimeout(Duration timeout) {
        return new NetworkSettings(
                timeout, connectTimeout, errorBackoffs, enforceRetryAfter, requestsInFlight, trustEnv);
    }

    /** The same with these delays between attempts; none for a single attempt. */
    public NetworkSettings withErrorBackoffs(Duration... delays) {
        return new NetworkSettings(
                requestTimeout, connectTimeout, List.of(delays), enforceRetryAfter, requestsInFlight, trustEnv);
    }
}
