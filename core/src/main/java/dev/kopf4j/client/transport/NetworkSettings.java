package dev.kopf4j.client.transport;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts, retries and limits of requests. Immutable.
 *
 * @param requestTimeout how long an attempt may take, from its start to the end of the response; default 5 minutes
 * @param objectTimeout how long an attempt of a request that is no list may take, if that is less; default 70 seconds,
 *     as servers give up after 60 (their {@code --request-timeout})
 * @param connectTimeout how long opening a connection may take; null (the default) for the request's timeout
 * @param retries when a request that failed is sent again
 * @param requestsInFlight how many requests run at a time, not counting watches and urgent ones; further requests wait;
 *     default 32
 * @param trustEnv whether the proxies of the environment's variables are used; default false
 * @param urgent whether requests do not wait for those in flight, as what they say is worth nothing later, such as that
 *     a lease is renewed; to be said of a handful of requests only; default false
 */
public record NetworkSettings(
        Duration requestTimeout,
        Duration objectTimeout,
        @Nullable Duration connectTimeout,
        Retries retries,
        int requestsInFlight,
        boolean trustEnv,
        boolean urgent) {

    /** The defaults. */
    public static final NetworkSettings DEFAULTS = new NetworkSettings(
            Duration.ofMinutes(5),
            Duration.ofSeconds(70),
            null,
            new Retries(
                    Stream.of(1, 1, 2, 3, 5, 8, 13, 21).map(Duration::ofSeconds).toList(), true, false),
            32,
            false,
            false);

    /** The part of the operator's settings that is about requests. */
    public static NetworkSettings of(OperatorSettings.Networking settings) {
        return new NetworkSettings(
                settings.requestTimeout(),
                settings.objectTimeout(),
                settings.connectTimeout(),
                new Retries(settings.errorBackoffs(), true, settings.enforceRetryAfter()),
                settings.requestsInFlight(),
                settings.trustEnv(),
                false);
    }

    /** Checks the limits. */
    public NetworkSettings {
        positive("requestTimeout", requestTimeout);
        positive("objectTimeout", objectTimeout);
        objectTimeout = objectTimeout.compareTo(requestTimeout) < 0 ? objectTimeout : requestTimeout;
        if (requestsInFlight < 1) {
            throw new IllegalArgumentException("requestsInFlight must be at least 1: " + requestsInFlight);
        }
    }

    private static void positive(String name, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + DurationText.format(timeout));
        }
    }

    /** Returns the same settings with another time for a request. */
    public NetworkSettings withRequestTimeout(Duration timeout) {
        return new NetworkSettings(timeout, objectTimeout, connectTimeout, retries, requestsInFlight, trustEnv, urgent);
    }

    /** Returns the same settings with these delays between attempts; none for a single attempt. */
    public NetworkSettings withErrorBackoffs(Duration... delays) {
        return with(new Retries(List.of(delays), retries.forbidden, retries.enforceRetryAfter));
    }

    /** Returns the same settings for requests whose refusal is an answer, too: a 403 is thrown at once. */
    public NetworkSettings withoutRetriesOfForbidden() {
        return with(new Retries(retries.backoffs, false, retries.enforceRetryAfter));
    }

    private NetworkSettings with(Retries others) {
        return new NetworkSettings(
                requestTimeout, objectTimeout, connectTimeout, others, requestsInFlight, trustEnv, urgent);
    }

    /**
     * Returns the same settings for requests that cannot wait: each makes a single attempt, ahead of all that are not
     * urgent.
     *
     * @param timeout how long it may take
     */
    public NetworkSettings urgent(Duration timeout) {
        return new NetworkSettings(
                timeout,
                objectTimeout,
                connectTimeout,
                new Retries(List.of(), retries.forbidden, retries.enforceRetryAfter),
                requestsInFlight,
                trustEnv,
                true);
    }

    /**
     * When a request that failed is sent again.
     *
     * @param backoffs the delays between attempts, so that there is one attempt more than delays; empty for a single
     *     attempt. Read anew for each request, and may be endless; default 1, 1, 2, 3, 5, 8, 13, 21 seconds
     * @param forbidden whether what the server refuses by 403 is sent again, as roles are often granted a moment later;
     *     default true
     * @param enforceRetryAfter whether the server's {@code Retry-After} counts even if it is shorter than the delay;
     *     default false
     */
    public record Retries(Iterable<Duration> backoffs, boolean forbidden, boolean enforceRetryAfter) {}
}
