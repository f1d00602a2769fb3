package dev.kopf4j.client;

import dev.kopf4j.Resource;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a stream of events of one resource going for ever: lists what exists, then watches what happens, and restores
 * itself after every failure.
 *
 * <p>A watch that ends or breaks goes on from the last version seen, without a new list. Only where that cannot work
 * (the version is too old, the server refuses it or reports an error within the stream) everything is listed anew.
 * Delays between failures grow up to a bound, and shrink when the stream has been well. Whatever goes wrong is told to
 * the listener; there is no other end than an interruption or an exception of the listener itself.
 */
public final class WatchLoop {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** A watch that lived that long counts as well, even if nothing happened. */
    private static final Duration STEADY_AFTER = Duration.ofSeconds(10);

    private final Platform platform;
    private final KubernetesApi api;
    private final Resource resource;
    private final @Nullable String namespace;
    private final WatchingSettings settings;

    /**
     * A loop that has not begun.
     *
     * @param namespace where to look; null for everywhere
     */
    public WatchLoop(
            Platform platform,
            KubernetesApi api,
            Resource resource,
            @Nullable String namespace,
            WatchingSettings settings) {
        this.platform = platform;
        this.api = api;
        this.resource = resource;
        this.namespace = namespace;
        this.settings = settings;
    }

    /** Runs in the caller's task until it is interrupted; the interrupt flag is set then. */
    public void run(StreamListener listener) {
        log.debug("Starting the watch-stream for {}.", subject());
        try {
            new Run(listener).forever();
        } catch (InterruptedException e) {
            log.debug("Stopping the watch-stream for {}.", subject());
            Thread.currentThread().interrupt();
        }
    }

    private String subject() {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }

    /** How a watch ended, and so how to go on. */
    private enum Ending {
        /** It came to its planned end. */
        ENDED,
        /** It broke: go on from the last version. */
        BROKEN,
        /** The last version is of no use any more: list again. */
        OUTDATED
    }

    /** The state of a running loop; confined to its task. */
    private final class Run {
        private final StreamListener listener;
        private final ReconnectBackoff backoff =
                new ReconnectBackoff(platform, settings.reconnectBackoff(), settings.reconnectBackoffMax());
        private String version = "";
        private boolean well;

        Run(StreamListener listener) {
            this.listener = listener;
        }

        void forever() throws InterruptedException {
            while (true) {
                if (list()) {
                    follow();
                }
                platform.sleep(backoff.next());
            }
        }

        /** False if it failed. */
        private boolean list() throws InterruptedException {
            try {
                listener.listStarted();
                version = api.list(resource, namespace, settings.pageSize(), new Relay(listener))
                        .resourceVersion();
            } catch (ClientException e) {
                disturbed("listing failed", e);
                return false;
            }
            listener.listComplete(version);
            return true;
        }

        /** Watches until a new list is needed. */
        private void follow() throws InterruptedException {
            Ending ending = watch();
            while (ending != Ending.OUTDATED) {
                if (well) {
                    backoff.reset();
                }
                if (ending == Ending.BROKEN || !well) {
                    platform.sleep(backoff.next());
                }
                ending = watch();
            }
            log.debug("Restarting the watch-stream for {}.", subject());
        }

        private Ending watch() throws InterruptedException {
            well = false;
            try (WatchStream stream = open()) {
                listener.alive();
                return read(stream);
            } catch (IdleException e) {
                log.debug("Watch-stream for {} is inactive, reconnecting.", subject());
                listener.disturbed("nothing was heard for " + settings.inactivityTimeout(), null);
                return Ending.BROKEN;
            } catch (ClientException e) {
                disturbed("watching failed", e);
                return endingAfter(e);
            }
        }

        private WatchStream open() throws InterruptedException {
            WatchOptions options =
                    new WatchOptions(serverTimeoutSeconds(), true, settings.inactivityTimeout(), connectTimeout());
            return api.watch(resource, namespace, version, options, failure -> retrying(listener, failure));
        }

        private Ending read(WatchStream stream) throws IdleException, InterruptedException {
            Deadline steady = platform.after(STEADY_AFTER);
            Deadline total =
                    settings.clientTimeout() == null ? Deadline.NEVER : platform.after(settings.clientTimeout());
            try {
                WatchEvent event = stream.next(total);
                while (event != null) {
                    listener.alive();
                    if (event.type() == WatchEvent.Type.ERROR) {
                        return failed(event);
                    }
                    deliver(event);
                    well = true;
                    event = stream.next(total);
                }
                return Ending.ENDED;
            } catch (IdleException e) {
                if (total.hasPassed(platform)) {
                    return Ending.ENDED;
                }
                throw e;
            } finally {
                well |= steady.hasPassed(platform);
            }
        }

        /** The version moves on only once the listener has the event. */
        private void deliver(WatchEvent event) throws InterruptedException {
            switch (event.type()) {
                case ADDED, MODIFIED, DELETED -> listener.event(event);
                case BOOKMARK, ERROR -> {}
                case UNKNOWN ->
                    log.warn(
                            "Ignoring an unsupported event type: {} (in the watch-stream for {})",
                            event.rawType(),
                            subject());
            }
            String seen = event.resourceVersion();
            version = seen.isEmpty() ? version : seen;
        }

        /** An error within the stream. A version that is too old is a normal thing to happen; nothing else is. */
        private Ending failed(WatchEvent error) {
            if (error.errorCode() != 410) {
                Target target = Target.ofCollection("watch", resource, namespace);
                ErrorBody body = ErrorBody.of(error.object());
                disturbed(
                        "the server reported an error in the stream",
                        ApiException.of(new Refusal(target, "the API server", error.errorCode(), body, null)));
            }
            return Ending.OUTDATED;
        }

        /** Lists anew where the server has a reason of its own to refuse the version, or does not say. */
        private static Ending endingAfter(ClientException failure) {
            return switch (failure) {
                case UnauthorizedException e -> Ending.BROKEN;
                case ForbiddenException e -> Ending.BROKEN;
                case TooManyRequestsException e -> Ending.BROKEN;
                case ApiException e -> Ending.OUTDATED;
                default -> Ending.BROKEN;
            };
        }

        private void disturbed(String reason, ClientException failure) {
            boolean network = failure instanceof ConnectionFailedException || failure instanceof GoneException;
            log.atLevel(network ? org.slf4j.event.Level.DEBUG : org.slf4j.event.Level.WARN)
                    .log(
                            "The watch-stream for {} is disturbed, and will be restored: {}",
                            subject(),
                            failure.getMessage());
            listener.disturbed(reason, failure);
        }
    }

    private static void retrying(StreamListener listener, ClientException failure) {
        listener.disturbed("a request failed, and is repeated", failure);
    }

    private int serverTimeoutSeconds() {
        Duration fixed = settings.serverTimeout();
        return fixed == null
                ? platform.random().nextInt(240, 481)
                : (int) Math.max(1, Math.min(fixed.toSeconds(), Integer.MAX_VALUE));
    }

    private Duration connectTimeout() {
        if (settings.connectTimeout() != null) {
            return settings.connectTimeout();
        }
        NetworkSettings network = api.settings();
        return network.connectTimeout() == null ? network.requestTimeout() : network.connectTimeout();
    }

    /** Passes a list on to the listener of the stream. */
    private record Relay(StreamListener listener) implements ListListener {
        @Override
        public void item(ObjectNode object) throws InterruptedException {
            listener.listed(object);
        }

        @Override
        public void restarted() throws InterruptedException {
            listener.listStarted();
        }

        @Override
        public void pageRead() {
            listener.alive();
        }

        @Override
        public void retrying(ClientException failure) {
            WatchLoop.retrying(listener, failure);
        }
    }
}
