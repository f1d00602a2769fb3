package dev.kopf4j.client.watching;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what goes wrong with a stream: its listener each time, the log once. If it goes wrong again and again, as
 * behind a proxy that cuts connections, the log gets a sum at growing intervals instead of a line each time, and a last
 * line when the stream has been quiet for a minute. Thread-safe.
 */
final class WatchFailureReport {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final Duration SUMS_APART_MAX = Duration.ofMinutes(16);

    private final Platform platform;
    private final WatchScope scope;
    private final ListAndWatchListener listener;
    /** Guards what follows. */
    private final Monitor monitor;

    /** True after the first line, until the stream has been quiet. */
    private volatile boolean troubled;
    /** True between a failure and the next sign of life. */
    private boolean broken;

    private int untold;
    private int total;
    private Duration sumsApart = QUIET;
    private Deadline nextSum = Deadline.NEVER;
    private Deadline quietFrom = Deadline.NEVER;

    WatchFailureReport(Platform platform, WatchScope scope, ListAndWatchListener listener) {
        this.platform = platform;
        this.scope = scope;
        this.listener = listener;
        this.monitor = platform.monitor();
    }

    /**
     * Something has failed. An expired version is normal; a failed login and a missing permission are reported once for
     * all streams, by the vault and by the requests: these are logged as DEBUG.
     */
    void failed(String reason, ClientException failure) {
        boolean toldElsewhere = failure instanceof ForbiddenException
                || failure instanceof GoneException
                || failure instanceof NoCredentialsException;
        String text = reason + ": " + failure.getMessage() + wayOut(failure);
        if (toldElsewhere) {
            log.debug("The watch-stream for {} is disturbed, and will be restored: {}", scope, text);
        } else {
            log(text);
        }
        listener.disturbed(reason, failure);
    }

    /** An error that nobody has foreseen. */
    void unexpected(RuntimeException failure) {
        String reason = "an unexpected error";
        log.debug("An unexpected error in the watch-stream for {}:", scope, failure);
        log(reason + ": " + failure);
        listener.disturbed(reason, failure);
    }

    /** A request is repeated. */
    void retrying(ClientException failure) {
        failed("a request failed, and is repeated", failure);
    }

    void silent(String reason) {
        log.debug("Watch-stream for {} is inactive, reconnecting.", scope);
        listener.disturbed(reason, null);
    }

    private void log(String text) {
        monitor.locked(() -> {
            quietFrom = platform.after(QUIET);
            broken = true;
            total++;
            if (!troubled) {
                troubled = true;
                untold = 0;
                sumsApart = QUIET;
                nextSum = platform.after(sumsApart);
                log.warn("K4-011: The watch-stream for {} is disturbed, and will be restored: {}", scope, text);
                return;
            }
            untold++;
            if (nextSum.hasPassed(platform)) {
                log.warn(
                        "K4-011: The watch-stream for {} was disturbed {} more times within {}, now: {}",
                        scope,
                        untold,
                        DurationText.format(sumsApart),
                        text);
                untold = 0;
                sumsApart = sumsApart.multipliedBy(2).compareTo(SUMS_APART_MAX) > 0
                        ? SUMS_APART_MAX
                        : sumsApart.multipliedBy(2);
                nextSum = platform.after(sumsApart);
            } else {
                log.debug("The watch-stream for {} is disturbed again: {}", scope, text);
            }
        });
    }

    /** The server was heard. */
    void alive() {
        if (troubled) {
            monitor.locked(this::heard);
        }
        listener.alive();
    }

    /** The first failure is over at once; after repeated ones, the stream has to prove itself. */
    private void heard() {
        boolean first = broken && total == 1;
        broken = false;
        if (first) {
            log.info("The watch-stream for {} is restored.", scope);
        }
        if (quietFrom.hasPassed(platform)) {
            if (total > 1) {
                log.info("The watch-stream for {} is restored, after {} disturbances.", scope, total);
            }
            troubled = false;
            total = 0;
        }
    }

    /** What somebody has to do before the stream can be restored; empty if it restores itself. */
    private static String wayOut(ClientException failure) {
        boolean isConversion = failure instanceof ApiException
                && String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("conversion webhook");
        return isConversion
                ? " (An API server reads all objects of a kind before it gives any of them, so as long as one cannot be"
                        + " converted, no object of the kind can be listed or watched in this version. Mend the"
                        + " conversion webhook, or the object, which the webhook's own log may name.)"
                : "";
    }
}
