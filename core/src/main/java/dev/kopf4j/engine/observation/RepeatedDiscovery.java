package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.GrowingPause;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up what the cluster serves: whenever that may have changed, as definitions or streams tell, and again after a
 * growing while as long as a part of it does not answer, or is not yet as its definition says: servers change a
 * definition first, and discover what has changed a moment later, with no event for that. Otherwise an operator that
 * looked in a bad moment would be deaf for ever, or would go on with a version or without a subresource that is not
 * served, or is served now. And seldom while handlers name what is not served: nothing tells that an aggregated API
 * comes, or that the server is another version.
 *
 * <p>One answer is not believed against what was known. Behind an address there may be several servers, of which one
 * has just started, hears late of definitions, or is another version: what it leaves out, or describes otherwise, stays
 * known as it was until looks agree, or for a while; unless its definition says that it has changed.
 *
 * <p>Runs in a task of its own; the other methods are thread-safe.
 */
public final class RepeatedDiscovery implements Runnable, CrdObserver.Listener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Duration AFTER_LAG = Duration.ofMillis(100);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** For how long discovery is asked again if all versions are served, but not as their definition says. */
    private static final Duration DIFFERENCES_MATTER_FOR = Duration.ofMinutes(5);

    /** For how long a resource stays known as it was, since discovery does not tell of it, or tells something else. */
    private static final Duration DOUBTED_FOR = Duration.ofSeconds(30);

    private static final Duration LONGEST_PAUSE_WHILE_IN_DOUBT = Duration.ofSeconds(5);

    private final Platform platform;
    private final ServedResources served;
    private final Listener listener;
    private final Monitor monitor;

    // Guarded by the monitor.
    private final Set<String> requested = new TreeSet<>();
    private final Map<String, Expectation> expected = new HashMap<>();
    /** Those that exist, and those that are gone while their resources are known, by their names. */
    private final Map<String, CrdState> definitions = new HashMap<>();

    private final Map<String, Suspicion> suspicions = new HashMap<>();
    private boolean allRequested;

    // Confined to the task.
    private final DiscoveryBackoff backoff;
    private final DiscoveryBackoff unresolved;
    /** A look has failed, and none at everything has succeeded since. */
    private boolean owed;
    /** What is taken to be served as it was until these moments. */
    private final Map<Resource, Deadline> doubted = new HashMap<>();

    public RepeatedDiscovery(Platform platform, ServedResources served, Listener listener) {
        this.platform = platform;
        this.served = served;
        this.listener = listener;
        this.backoff = new DiscoveryBackoff(platform);
        this.unresolved = new DiscoveryBackoff(platform);
        this.monitor = platform.monitor();
        served.keep(this::isToBeKept);
    }

    /** What is done with the resources that are served. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Starts and stops what has to be.
         *
         * @return the longest pause until the next look, if what is wanted is not served, and may come without a word;
         *     zero if nothing is wanted
         */
        Duration revise(ServedResources served) throws InterruptedException;
    }

    @Override
    public void allExpected(Set<String> names) {
        served.definitions().complete(names);
        monitor.locked(() -> {
            definitions.replaceAll((name, each) -> names.contains(name) ? each : each.deleted());
            expected.values()
                    .removeIf(each -> each.crdState().stage() != CrdState.Stage.DELETED
                            && !names.contains(each.crdState().name()));
            allRequested = true;
        });
    }

    /** The cluster serves something else now, or will in a moment. */
    @Override
    public void expect(CrdState crdState) {
        served.definitions().add(crdState);
        if (served.concerns(crdState.group())) {
            monitor.locked(() -> {
                definitions.put(crdState.name(), crdState);
                expected.put(crdState.name(), new Expectation(crdState, platform.after(DIFFERENCES_MATTER_FOR)));
                requested.add(crdState.group());
            });
        }
    }

    /**
     * A stream of a resource of the group has found that the resource is not served any more. Of resources that have no
     * definition, such as those of aggregated APIs and of the server itself, nothing else tells.
     */
    public void suspect(String group) {
        if (served.concerns(group)) {
            monitor.locked(() -> {
                if (suspicions
                        .computeIfAbsent(group, any -> new Suspicion(platform))
                        .isWorthALook()) {
                    requested.add(group);
                }
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
                look(monitor.await(this::takeRequest, due()).orElse(Request.ALL));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Deadline due() {
        return owed ? backoff.due() : backoff.due().orEarlier(unresolved.due());
    }

    private Optional<Request> takeRequest() {
        if (!allRequested && requested.isEmpty()) {
            return Optional.empty();
        }
        Request request = new Request(allRequested, new TreeSet<>(requested));
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
            owed &= !request.all();
            revise();
        } catch (RuntimeException e) {
            owed = true;
            backoff.incomplete(AFTER_FAILURE);
            if (e instanceof ClientException) {
                log.warn(
                        "The resources could not be looked up again; they will be in {} s: {}",
                        backoff.pause().toSeconds(),
                        e.getMessage());
            } else {
                log.error(
                        Platform.UNEXPECTED,
                        "The resources could not be looked up again, due to an unexpected error; they will be in {} s.",
                        backoff.pause().toSeconds(),
                        e);
            }
        }
    }

    /** Asked in a look for what was known, and is not told any more, or is described otherwise. */
    private boolean isToBeKept(Resource resource, Collection<Resource> told) {
        return monitor.locked(() -> {
            String name = CrdState.name(resource.plural(), resource.group());
            CrdState definition = definitions.get(name);
            if (definition != null) {
                if (hasChanged(definition, resource, told)) {
                    return false;
                }
                expected.putIfAbsent(name, new Expectation(definition, platform.after(DIFFERENCES_MATTER_FOR)));
            }
            return !doubted.computeIfAbsent(resource, any -> platform.after(DOUBTED_FOR))
                    .hasPassed(platform);
        });
    }

    /** True if the definition speaks for what is told of its resources, or against what was known of this one. */
    private static boolean hasChanged(CrdState definition, Resource known, Collection<Resource> told) {
        return definition.isMetBy(told)
                || !definition.serves(known.version())
                || (told.contains(known) && !definition.describes(known));
    }

    private void revise() throws InterruptedException {
        doubted.keySet().retainAll(served.kept());
        Duration longestPause = listener.revise(served);
        boolean lags = lags();
        if (owed) {
            return;
        }
        if (!doubted.isEmpty()) {
            backoff.incomplete(AFTER_LAG, LONGEST_PAUSE_WHILE_IN_DOUBT);
        } else if (!served.unavailable().isEmpty()) {
            backoff.incomplete(AFTER_FAILURE);
        } else if (lags) {
            backoff.incomplete(AFTER_LAG);
        } else {
            backoff.complete();
        }
        if (longestPause.isZero()) {
            unresolved.complete();
        } else if (unresolved.due().isNever() || unresolved.due().hasPassed(platform)) {
            // Looks for other reasons put this one off no further.
            unresolved.incomplete(AFTER_FAILURE, longestPause);
        }
    }

    /** True if something is not served as it is to be. */
    private boolean lags() {
        Map<String, List<Resource>> known = served.told().stream()
                .collect(Collectors.groupingBy(resource -> CrdState.name(resource.plural(), resource.group())));
        Set<String> kinds = served.known().stream()
                .map(resource -> CrdState.name(resource.plural(), resource.group()))
                .collect(Collectors.toSet());
        return monitor.locked(() -> {
            definitions
                    .values()
                    .removeIf(each -> each.stage() == CrdState.Stage.DELETED && !kinds.contains(each.name()));
            expected.entrySet().removeIf(each -> isOver(each.getValue(), known.getOrDefault(each.getKey(), List.of())));
            return !expected.isEmpty();
        });
    }

    /** A server whose discovery tells something else for ever than the definition does is not asked for ever. */
    private boolean isOver(Expectation expectation, List<Resource> known) {
        return expectation.crdState().isMetBy(known)
                || (expectation.differencesMatterUntil().hasPassed(platform)
                        && expectation.crdState().isServedBy(known));
    }

    /** What a definition says, which discovery has not told yet. */
    private record Expectation(CrdState crdState, Deadline differencesMatterUntil) {}

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
     * That a group serves less than is known: looked into at once, and after growing pauses if it is told again and
     * again, for what is known then may be right. Confined to its owner's lock.
     */
    private static final class Suspicion {
        private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

        private final Platform platform;
        private GrowingPause pause = new GrowingPause();
        private Deadline next;
        private Deadline forgotten;

        Suspicion(Platform platform) {
            this.platform = platform;
            this.next = platform.after(Duration.ZERO);
            this.forgotten = Deadline.NEVER;
        }

        boolean isWorthALook() {
            if (!next.hasPassed(platform)) {
                return false;
            }
            if (forgotten.hasPassed(platform)) {
                pause = new GrowingPause();
            }
            next = platform.after(pause.next());
            pause.grow();
            forgotten = next.plus(FORGOTTEN_AFTER);
            return true;
        }
    }

    /**
     * When the resources are looked up again by themselves: after growing pauses as long as some are missing. Confined.
     */
    private static final class DiscoveryBackoff {
        private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

        private final Platform platform;
        private Duration pause = Duration.ZERO;
        private boolean incomplete;
        private Deadline due = Deadline.NEVER;

        DiscoveryBackoff(Platform platform) {
            this.platform = platform;
        }

        /** When to look again; never if all is known. */
        Deadline due() {
            return due;
        }

        /** The pause before the next look. */
        Duration pause() {
            return pause;
        }

        /** Everything is known. */
        void complete() {
            incomplete = false;
            due = Deadline.NEVER;
        }

        /**
         * Something is missing.
         *
         * @param first the pause if everything was known before; otherwise the last pause doubles
         */
        void incomplete(Duration first) {
            incomplete(first, LONGEST_PAUSE);
        }

        /** The same with pauses up to that one. */
        void incomplete(Duration first, Duration longest) {
            Duration doubled = pause.multipliedBy(2);
            pause = incomplete ? (doubled.compareTo(longest) < 0 ? doubled : longest) : first;
            incomplete = true;
            due = platform.after(pause);
        }
    }
}
