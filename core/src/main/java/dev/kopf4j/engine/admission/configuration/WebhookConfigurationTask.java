package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.UnprocessableException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.GrowingPause;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the webhook configurations whenever something of them changes, and again after a growing while if the API
 * server refuses or does not answer. Looks from time to time whether they still stand there, if others may write them,
 * too. Does so in a task of its own; the methods are thread-safe.
 */
public final class WebhookConfigurationTask {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final Platform platform;
    private final WebhookConfigurations configurations;
    private final Consumer<OperatorException> failed;
    private final Monitor monitor;

    // Guarded by the monitor.
    private List<Resource> resources = List.of();
    private @Nullable WebhookClientConfig clientConfig;
    private int wanted;
    private int written;
    /** How often somebody has said how the webhooks are reached. */
    private int published;

    private @Nullable OperatorException failure;

    /** Whether a request has come, since the last look, for what this operator does not have. */
    private final AtomicBoolean askedInVain = new AtomicBoolean();

    private volatile @Nullable String problem;
    private volatile boolean permitted;
    private volatile @Nullable Task task;

    // Confined to the task.
    private final GrowingPause pause = new GrowingPause();
    /** Of its own, as changes of definitions may come more often than looks. */
    private Deadline nextLook = Deadline.NEVER;

    /** How often somebody had said so when they were configured last. */
    private int configured;

    /**
     * A writer that has written nothing.
     *
     * @param failed is told if the configurations can never be written
     */
    public WebhookConfigurationTask(
            Platform platform, WebhookConfigurations configurations, Consumer<OperatorException> failed) {
        this.platform = platform;
        this.configurations = configurations;
        this.failed = failed;
        this.monitor = platform.monitor();
    }

    /** The webhooks are for these resources now. */
    public void resources(List<Resource> current) {
        monitor.locked(() -> {
            wanted += resources.equals(current) ? 0 : 1;
            resources = current;
        });
    }

    /** What was written may stand there no longer: somebody has changed a definition. */
    public void lookAgain() {
        monitor.locked(() -> {
            wanted++;
        });
    }

    /** The webhooks are reached in this way now. */
    public void clientConfig(WebhookClientConfig current) {
        monitor.locked(() -> {
            wanted++;
            published++;
            clientConfig = current;
        });
    }

    /** The API server asks for what this operator does not have: what stands there is not by it. */
    public void askedInVain() {
        askedInVain.set(true);
    }

    /** Begins to write, in a task of its own. */
    public void begin() {
        task = platform.spawnEssential("webhook configurations", Platform.untilInterrupted(this::run));
    }

    /**
     * Waits until they are written for the first time.
     *
     * @throws OperatorException if they cannot be
     */
    public void awaitFirst() throws InterruptedException {
        monitor.awaitTrue(() -> written > 0 || failure != null, Deadline.NEVER);
        OperatorException problem = monitor.locked(() -> failure);
        if (problem != null) {
            throw problem;
        }
    }

    /** Waits until all that was told before is written, or the time is over; true if it is written. */
    public boolean awaitCurrent(Deadline deadline) throws InterruptedException {
        int revision = monitor.locked(() -> wanted);
        monitor.awaitTrue(() -> written - revision >= 0 || failure != null, deadline);
        return monitor.locked(() -> written - revision >= 0);
    }

    /** Why nothing has been written yet, in words for people; empty once they were. */
    public List<String> troubles() {
        String why = problem;
        return monitor.locked(() -> written > 0)
                ? List.of()
                : List.of("the webhook configurations are not written yet" + (why == null ? "" : ": " + why));
    }

    /**
     * False until the first attempt has ended, and as long as the API server has refused each, for a right that is
     * missing or what it finds invalid. A failure of the server permits: a definition whose changes this operator
     * judges cannot be written before it is asked.
     */
    public boolean isPermitted() {
        return permitted;
    }

    private static boolean isRefusal(ClientException e) {
        return e instanceof ForbiddenException || e instanceof UnprocessableException;
    }

    private void run() throws InterruptedException {
        Deadline again = Deadline.NEVER;
        while (monitor.locked(() -> failure) == null) {
            Optional<Revision> next = monitor.await(this::takeChange, again);
            boolean nothingToWrite = monitor.locked(() -> wanted == written)
                    && !configurations.putOffUntil().hasPassed(platform);
            again = next.isEmpty() && nothingToWrite
                    ? look()
                    : write(next.orElseGet(() -> monitor.locked(this::current)));
        }
    }

    private Optional<Revision> takeChange() {
        return clientConfig == null || wanted == written ? Optional.empty() : Optional.of(current());
    }

    private Revision current() {
        return new Revision(wanted, published, resources, Objects.requireNonNull(clientConfig));
    }

    /** A look that fails is no trouble: the next one follows soon. */
    private Deadline look() throws InterruptedException {
        try {
            configurations.look(askedInVain.getAndSet(false));
        } catch (ClientException e) {
            log.debug("Whether the webhooks are still configured could not be seen: {}", e.getMessage());
        }
        nextLook = lookAgainAt();
        return nextLook.orEarlier(configurations.putOffUntil());
    }

    /** Replicas that have started together do not look at once. */
    private Deadline lookAgainAt() {
        return configurations
                .looksAgainAfter()
                .map(interval -> platform.after(Duration.ofNanos(
                        Math.round(interval.toNanos() * (0.9 + platform.random().nextDouble() / 5)))))
                .orElse(Deadline.NEVER);
    }

    /** When to try again, or to look whether it is still there. */
    private Deadline write(Revision revision) throws InterruptedException {
        try {
            configurations.configure(revision.resources(), revision.clientConfig(), revision.published() != configured);
            configured = revision.published();
            permitted = true;
            pause.reset();
            if (isOvertaken(revision)) {
                return platform.after(Duration.ZERO);
            }
            monitor.locked(() -> {
                written = revision.number();
            });
            if (nextLook.hasPassed(platform)) {
                return look();
            }
            nextLook = nextLook.isNever() ? lookAgainAt() : nextLook;
            return nextLook.orEarlier(configurations.putOffUntil());
        } catch (ClientException e) {
            problem = e.getMessage();
            permitted |= !isRefusal(e);
            log.warn(
                    "K4-012: The webhooks could not be configured; this is tried again in {} s: {}",
                    pause.next().toSeconds(),
                    e.getMessage());
            if (nextLook.hasPassed(platform)) {
                // What could be written goes on to be looked after.
                var _ = look();
            }
            pause.make(platform);
            return platform.after(Duration.ZERO);
        } catch (OperatorException e) {
            monitor.locked(() -> {
                failure = e;
            });
            failed.accept(e);
            return Deadline.NEVER;
        }
    }

    /** Waits until all API servers know what was written; true if there is something newer to write before that. */
    private boolean isOvertaken(Revision revision) throws InterruptedException {
        Optional<Deadline> known =
                configurations.knownToAllServersAt().filter(deadline -> !deadline.hasPassed(platform));
        return known.isPresent() && monitor.awaitTrue(() -> wanted != revision.number(), known.get());
    }

    /** Ends the writing, then takes back what is not to stay. */
    public void end() throws InterruptedException {
        Task writing = task;
        if (writing != null) {
            writing.interrupt();
            writing.join(Deadline.NEVER);
        }
        configurations.cleanUp();
    }

    private record Revision(int number, int published, List<Resource> resources, WebhookClientConfig clientConfig) {}

    /** Tells the API server which webhooks there are, and where. Called by one task at a time. */
    public interface WebhookConfigurations {
        /** Somebody else does it. */
        WebhookConfigurations UNMANAGED = new WebhookConfigurations() {
            @Override
            public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig, boolean published) {
                // As the operator was told: admission.managed is not set.
            }

            @Override
            public void cleanUp() {
                // Nothing was written.
            }
        };

        /** Something to be done with each of several, whatever becomes of the others. */
        @FunctionalInterface
        interface Doing<T> {
            void with(T one) throws InterruptedException;
        }

        /** Does it with each; what the first one fails with is thrown at the end. */
        static <T> void each(List<T> all, Doing<T> doing) throws InterruptedException {
            @Nullable ClientException failure = null;
            for (T one : all) {
                try {
                    doing.with(one);
                } catch (ClientException e) {
                    failure = failure == null ? e : failure;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        /** Two of them, one after the other. */
        static WebhookConfigurations all(WebhookConfigurations first, WebhookConfigurations second) {
            return new WebhookConfigurations() {
                @Override
                public void configure(
                        Collection<Resource> resources, WebhookClientConfig clientConfig, boolean published)
                        throws InterruptedException {
                    // Nothing is written by an operator that does not start: nobody would answer for it.
                    second.check();
                    each(List.of(first, second), one -> one.configure(resources, clientConfig, published));
                }

                @Override
                public Optional<Deadline> knownToAllServersAt() {
                    return Stream.of(first, second)
                            .flatMap(each -> each.knownToAllServersAt().stream())
                            .max(Comparator.naturalOrder());
                }

                @Override
                public Deadline putOffUntil() {
                    return first.putOffUntil().orEarlier(second.putOffUntil());
                }

                @Override
                public Optional<Duration> looksAgainAfter() {
                    return first.looksAgainAfter().or(second::looksAgainAfter);
                }

                @Override
                public void look(boolean askedInVain) throws InterruptedException {
                    each(List.of(first, second), one -> one.look(askedInVain));
                }

                @Override
                public void cleanUp() throws InterruptedException {
                    first.cleanUp();
                    second.cleanUp();
                }
            };
        }

        /**
         * Looks, before the first time, whether the operator must not start.
         *
         * @throws OperatorException if it must not
         */
        default void check() throws InterruptedException {
            // Others know no reason before they write.
        }

        /**
         * From now on the webhooks are for these resources, and are reached in this way.
         *
         * @param published true if somebody has said so since the last time, perhaps once more: as he counts on it
         * @throws OperatorException if the operator may not write them
         * @throws InterruptedException if the operator stops
         */
        void configure(Collection<Resource> resources, WebhookClientConfig clientConfig, boolean published)
                throws InterruptedException;

        /** When all API servers act by what was written; empty if they do so at once. */
        default Optional<Deadline> knownToAllServersAt() {
            return Optional.empty();
        }

        /** When some of it is to be configured that was put off; never if nothing was. */
        default Deadline putOffUntil() {
            return Deadline.NEVER;
        }

        /** How long what was written may stand there without a look at it; empty if no looks are needed. */
        default Optional<Duration> looksAgainAfter() {
            return Optional.empty();
        }

        /**
         * Looks whether what was written still stands there, and writes it again if it ought to.
         *
         * @param askedInVain true if the API server has asked, since the last look, for what this operator does not
         *     have
         * @throws InterruptedException if the operator stops
         */
        default void look(boolean askedInVain) throws InterruptedException {
            // Nobody else writes it.
        }

        /** The operator ends: only what is to outlive it stays. */
        void cleanUp() throws InterruptedException;
    }
}
