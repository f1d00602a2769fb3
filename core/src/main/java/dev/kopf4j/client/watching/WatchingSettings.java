package dev.kopf4j.client.watching;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How streams of events are opened, supervised and renewed. Immutable.
 *
 * @param serverTimeout for how long the server is asked to keep a watch open; null (the default) for a random time
 *     between 4 and 8 minutes, so that the streams of many operators do not end at once
 * @param clientTimeout how long a watch may live in total; null (the default) for as long as the server likes
 * @param connectTimeout how long the head of a watch's answer may take; null (the default) for the settings of the
 *     network: the connect timeout, else the request timeout
 * @param reconnectBackoff the first delay before a failed stream is opened again; it doubles, with jitter, up to
 *     {@code reconnectBackoffMax}; default 100 ms
 * @param reconnectBackoffMax the longest such delay; default 30 s
 * @param inactivityTimeout how long a watch may be silent, bookmarks included, before it is opened anew; the server
 *     sends bookmarks about once a minute; default 70 s
 * @param pageSize how many objects a page of a list has; 0 for all at once; default 500
 * @param streamedLists whether lists are asked for as watches with initial events, where the server has them; default
 *     false
 * @param resyncInterval after what time, a tenth sooner or later, everything is listed again though nothing is wrong;
 *     null (the default) for never
 */
public record WatchingSettings(
        @Nullable Duration serverTimeout,
        @Nullable Duration clientTimeout,
        @Nullable Duration connectTimeout,
        Duration reconnectBackoff,
        Duration reconnectBackoffMax,
        Duration inactivityTimeout,
        int pageSize,
        boolean streamedLists,
        @Nullable Duration resyncInterval) {

    /** The defaults. */
    public static final WatchingSettings DEFAULTS = new WatchingSettings(
            null, null, null, Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofSeconds(70), 500, false, null);

    /**
     * The part of the operator's settings that is about streams; what they do not say stays as by default. Nothing is
     * listed again and again.
     */
    public static WatchingSettings of(OperatorSettings.Watching settings) {
        return new WatchingSettings(
                settings.serverTimeout(),
                settings.clientTimeout(),
                settings.connectTimeout(),
                settings.reconnectBackoff(),
                DEFAULTS.reconnectBackoffMax(),
                settings.inactivityTimeout(),
                settings.pageSize(),
                settings.streamedLists(),
                null);
    }

    /** The same, but everything is listed again and again; null for never. */
    public WatchingSettings resyncingEvery(@Nullable Duration interval) {
        return new WatchingSettings(
                serverTimeout,
                clientTimeout,
                connectTimeout,
                reconnectBackoff,
                reconnectBackoffMax,
                inactivityTimeout,
                pageSize,
                streamedLists,
                interval);
    }

    /** Checks the limits. */
    public WatchingSettings {
        if (pageSize < 0) {
            throw new IllegalArgumentException("pageSize must not be negative: " + pageSize);
        }
        if (inactivityTimeout.isNegative() || inactivityTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "inactivityTimeout must be positive: " + DurationText.format(inactivityTimeout));
        }
    }
}
