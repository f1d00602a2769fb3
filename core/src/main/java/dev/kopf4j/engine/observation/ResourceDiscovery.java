package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up what the cluster serves: whenever that may have changed, and again after a growing while as long as a part
 * of it does not answer, or is not yet as its definition says: servers establish a definition first, and discover its
 * resource a moment later, with no event for that. Otherwise an operator that looked in a bad moment would be deaf for
 * ever.
 *
 * <p>Runs in a task of its own; the other methods are thread-safe.
 */
public final class ResourceDiscovery implements Runnable, CrdObserver.Listener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Duration AFTER_LAG = Duration.ofMillis(100);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final ServedResources served;
    private final Listener listener;
    private final Monitor monitor;

    // Guarded by the monitor.
    private final Set<String> requested = new TreeSet<>();
    private final Map<String, CrdState> expected = new HashMap<>();
    private boolean allRequested;

    // Confined to the task.
    private final DiscoveryBackoff backoff;

    public ResourceDiscovery(Platform platform, ServedResources served, Listener listener) {
        this.served = served;
        this.listener = listener;
        this.backoff = new DiscoveryBackoff(platform);
        this.monitor = platform.monitor();
    }

    /** What is done with the resources that are served. */
    @FunctionalInterface
    public interface Listener {
        /** Starts and stops what has to be. */
        void revise(ServedResources served) throws InterruptedException;
    }

    @Override
    public void allExpected() {
        served.definitions().complete();
        monitor.locked(() -> {
            allRequested = true;
        });
    }

    /** The cluster serves something else now, or will in a moment. */
    @Override
    public void expect(CrdState crdState) {
        served.definitions().add(crdState);
        if (served.concerns(crdState.group())) {
            monitor.locked(() -> {
                expected.put(crdState.name(), crdState);
                requested.add(crdState.group());
            });
        }
    }

    /** Looks up everything for the first time. */
    public void begin() throws InterruptedException {
        served.scan();
        revise();
    }

    @Override
    public void run() {
        try {
            while (true) {
                look(monitor.await(this::takeRequest, backoff.due()).orElse(Request.ALL));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Request> takeRequest() {
        if (!allRequested && requested.isEmpty()) {
            return Optional.empty();
        }
        Request request = new Request(allRequested, Set.copyOf(requested));
        allRequested = false;
        requested.clear();
        return Optional.of(request);
    }

    private void look(Request request) throws InterruptedException {
        try {
            if (request.all()) {
                served.scan();
            }
            for (String group : request.all() ? Set.<String>of() : request.groups()) {
                served.rescan(group);
            }
            revise();
        } catch (ClientException e) {
            backoff.incomplete(AFTER_FAILURE);
            log.warn(
                    "The resources could not be looked up again; they will be in {} s: {}",
                    backoff.pause().toSeconds(),
                    e.getMessage());
        } catch (RuntimeException e) {
            backoff.incomplete(AFTER_FAILURE);
            log.error(
                    "The resources could not be looked up again, due to an unexpected error; they will be in {} s.",
                    backoff.pause().toSeconds(),
                    e);
        }
    }

    private void revise() throws InterruptedException {
        listener.revise(served);
        boolean lags = lags();
        if (!served.unavailable().isEmpty()) {
            backoff.incomplete(AFTER_FAILURE);
        } else if (lags) {
            backoff.incomplete(AFTER_LAG);
        } else {
            backoff.complete();
        }
    }

    /** True if something is not served as it is to be. */
    private boolean lags() {
        Collection<Resource> known = served.known();
        return monitor.locked(() -> {
            expected.values().removeIf(crdState -> crdState.isMetBy(known));
            return !expected.isEmpty();
        });
    }

    /**
     * What has to be looked up.
     *
     * @param all true for everything
     * @param groups these groups, if not everything
     */
    private record Request(boolean all, Set<String> groups) {
        static final Request ALL = new Request(true, Set.of());
    }

    /**
     * When the resources are looked up again by themselves: after growing pauses as long as some are missing. Confined.
     */
    private static final class DiscoveryBackoff {
        private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

        private final Platform platform;
        private Duration pause = Duration.ZERO;
        private boolean incomplete;

        DiscoveryBackoff(Platform platform) {
            this.platform = platform;
        }

        /** When to look again, counted from now; never if all is known. */
        Deadline due() {
            return incomplete ? platform.after(pause) : Deadline.NEVER;
        }

        /** The pause before the next look. */
        Duration pause() {
            return pause;
        }

        /** Everything is known. */
        void complete() {
            incomplete = false;
        }

        /**
         * Something is missing.
         *
         * @param first the pause if everything was known before; otherwise the last pause doubles
         */
        void incomplete(Duration first) {
            Duration doubled = pause.multipliedBy(2);
            pause = incomplete ? (doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE) : first;
            incomplete = true;
        }
    }
}
