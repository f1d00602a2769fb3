package dev.kopf4j.devcluster.webhook;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Asks endpoints whether they are ready, as a kubelet does, but only when somebody wants to know. Thread-safe. */
final class EndpointReadiness {
    /** The shortest period that a kubelet can be told. */
    private static final Duration BELIEVED_FOR = Duration.ofSeconds(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private record Known(boolean ready, Instant moment) {}

    private final Map<URI, Known> known = new ConcurrentHashMap<>();
    private final InstantSource clock;

    EndpointReadiness(InstantSource clock) {
        this.clock = clock;
    }

    /** True if the last answer, at most a second ago, was a good one. */
    boolean isReady(URI probe) {
        return known.compute(probe, (same, last) -> isFresh(last) ? last : new Known(ask(probe), clock.instant()))
                .ready();
    }

    private boolean isFresh(@Nullable Known last) {
        return last != null && clock.instant().isBefore(last.moment().plus(BELIEVED_FOR));
    }

    /** With a client of its own: each has a thread, and most clusters are never asked. */
    private static boolean ask(URI probe) {
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            int status = client.send(
                            HttpRequest.newBuilder(probe).timeout(TIMEOUT).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            return status / 100 == 2 || status / 100 == 3;
        } catch (IOException e) {
            return false; // nobody is there, or is too slow
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
