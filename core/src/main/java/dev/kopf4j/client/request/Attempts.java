package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.ServerErrorException;
import dev.kopf4j.client.error.Target;
import dev.kopf4j.client.error.TooManyRequestsException;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.client.transport.NetworkSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts of one request: counts them, says how long to wait for the next one, and logs. Confined to a task. */
final class Attempts {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final NetworkSettings settings;
    private final MissingPermissions missing;
    private final Target target;
    private final Call call;
    private final Iterator<Duration> backoffs;
    private final String total;
    private int number;
    private boolean unauthorized;

    Attempts(NetworkSettings settings, Target target, Call call, MissingPermissions missing) {
        this.missing = missing;
        this.settings = settings;
        this.target = target;
        this.call = call;
        this.backoffs = settings.errorBackoffs().iterator();
        this.total = settings.errorBackoffs() instanceof Collection<?> sized ? "/" + (sized.size() + 1) : "";
    }

    void begin() {
        number++;
        if (number > 1) {
            log.debug("Request attempt #{}{}: {}", number, total, call);
        }
    }

    void succeeded() {
        missing.granted(target);
        if (number > 1) {
            log.debug("Request attempt #{}{} succeeded: {}", number, total, call);
        }
    }

    /** True once: new credentials are tried at once, but newer ones are not, lest a broken login makes a busy loop. */
    boolean isFirstUnauthorized() {
        boolean first = !unauthorized;
        unauthorized = true;
        return first;
    }

    /** How long to wait before the next attempt; throws the failure if there is to be none. */
    Duration delayAfter(String server, ClientException failure) {
        if (failure instanceof ForbiddenException refusal) {
            missing.report(target, refusal);
        }
        if (!isRepeatable(failure)) {
            throw failure;
        }
        if (!backoffs.hasNext()) {
            log.debug(
                    "Request attempt #{}{} failed; escalating: {} {}{}",
                    number,
                    total,
                    call.method(),
                    server,
                    call.path());
            throw failure;
        }
        Duration delay = hinted(backoffs.next(), failure);
        log.error(
                "Request attempt #{}{} failed; will retry: {} {}{} -> {}",
                number,
                total,
                call.method(),
                server,
                call.path(),
                failure.getMessage());
        return delay;
    }

    private boolean isRepeatable(ClientException failure) {
        return switch (failure) {
            case ForbiddenException e -> true;
            case TooManyRequestsException e -> true;
            case UnauthorizedException e -> true;
            case ServerErrorException e -> !isCreation();
            case ConnectionFailedException e -> !isCreation() || e.neverOpen();
            default -> false;
        };
    }

    private boolean isCreation() {
        return call.method().equals("POST");
    }

    private Duration hinted(Duration backoff, ClientException failure) {
        Duration hint = failure instanceof ApiException e ? e.retryAfter().orElse(null) : null;
        if (hint == null || !(settings.enforceRetryAfter() || hint.compareTo(backoff) > 0)) {
            return backoff;
        }
        log.debug(
                "Overriding the backoff {}s with the retry-after {}s from the server: {}",
                seconds(backoff),
                hint.toSeconds(),
                call);
        return hint;
    }

    private static String seconds(Duration delay) {
        return delay.toNanosPart() == 0 ? Long.toString(delay.toSeconds()) : Double.toString(delay.toNanos() / 1e9);
    }
}
