package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a stream of the framework itself is doing, by which the operator follows definitions or namespaces: without it,
 * nobody would notice that new ones are not handled. Thread-safe.
 */
final class ObserverHealth implements WatchedStreamListener.Doctor {
    private final Platform platform;
    private final Resource resource;
    private final Duration patience;
    private final boolean mayBeForbidden;
    private volatile long heardAt;
    private volatile @Nullable String trouble;

    /**
     * A stream that begins now.
     *
     * @param patience for how long it may be silent
     * @param mayBeForbidden true if the operator can do without: the missing right is told in the log
     */
    ObserverHealth(Platform platform, Resource resource, Duration patience, boolean mayBeForbidden) {
        this.platform = platform;
        this.resource = resource;
        this.patience = patience;
        this.mayBeForbidden = mayBeForbidden;
        this.heardAt = platform.nanos();
    }

    @Override
    public void listed() {
        alive();
    }

    @Override
    public void alive() {
        heardAt = platform.nanos();
        trouble = null;
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (mayBeForbidden && failure instanceof ForbiddenException) {
            alive();
        } else {
            trouble = failure == null ? reason : reason + ": " + failure.getMessage();
        }
    }

    /** What is wrong at the moment, for people; empty if nothing is. */
    Optional<String> trouble() {
        String known = trouble;
        Duration silence = Duration.ofNanos(platform.nanos() - heardAt);
        if (known == null && silence.compareTo(patience) > 0) {
            known = "nothing was heard for " + DurationText.format(Duration.ofSeconds(silence.toSeconds()));
        }
        return Optional.ofNullable(known).map(each -> "the stream of " + resource + ": " + each);
    }
}
