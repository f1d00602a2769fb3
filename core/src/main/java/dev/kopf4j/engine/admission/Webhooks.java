package dev.kopf4j.engine.admission;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationTask;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationTask.WebhookConfigurations;
import dev.kopf4j.engine.admission.server.BuiltInServers;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.json.JsonLimits;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks of an operator: serves them, and keeps the API server informed of them. Serves from the moment at which
 * the resources of the cluster are known, whether the operator acts or not. Thread-safe.
 */
public final class Webhooks {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int NOT_FOUND = 404;

    private final Platform platform;
    private final AdmissionReviews reviews;
    private final ConversionReviews conversions;
    private final WebhookConfigurationTask writer;
    private final WebhookServerRun run;
    private final TreeBudget budget = TreeBudget.ofHeap();
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * Nothing is served yet.
     *
     * @param failed hears that the operator cannot go on
     */
    public Webhooks(
            Platform platform,
            WebhookServer server,
            BuiltInServers builtIn,
            AdmissionReviews reviews,
            ConversionReviews conversions,
            WebhookConfigurations configurations,
            Consumer<OperatorException> failed) {
        this.platform = platform;
        this.reviews = reviews;
        this.conversions = conversions;
        this.writer = new WebhookConfigurationTask(platform, configurations, failed);
        this.run = new WebhookServerRun(platform, server, builtIn, this::answer, writer, failed);
    }

    /**
     * From now on the cluster serves these. The first time, the server is started, and the method returns when it can
     * be reached and the API server knows of it. Later it waits as long as {@link #PATIENCE} for definitions that are
     * to be converted and are served anew, as whoever returns to its caller watches their objects.
     *
     * @throws OperatorException if that is impossible
     */
    public void found(Collection<Resource> resources) throws InterruptedException {
        reviews.serve(resources);
        boolean isServedAnew = conversions.serve(resources);
        writer.resources(reviews.resources());
        if (!conversions.isEmpty()) {
            writer.lookAgain();
        }
        if (begun.compareAndSet(false, true)) {
            writer.begin();
            run.begin();
            writer.awaitFirst();
        } else if (isServedAnew) {
            writer.awaitCurrent(platform.after(PATIENCE));
        }
    }

    /** Who asks for a webhook that there is not hears so before anything is parsed, or takes room for that. */
    private WebhookResponse answer(WebhookRequest request) throws InterruptedException {
        try {
            if (!conversions.isNamedBy(request)) {
                reviews.requireHandler(request);
            }
            try (TreeBudget.Share _ = budget.take(request.body())) {
                return conversions.isFor(request) ? conversions.answer(request) : reviews.answer(request);
            }
        } catch (WebhookException e) {
            if (e.status() == NOT_FOUND) {
                // Another version has told the API server to ask, and may be gone: the writer has to know.
                writer.askedInVain();
            }
            throw e;
        }
    }

    /** What keeps the API server from asking this replica, in words for people; empty if nothing does. */
    public List<String> troubles() {
        List<String> unserved = run.troubles();
        return unserved.isEmpty() ? writer.troubles() : unserved;
    }

    /**
     * True while the server can be reached, from when on the API server does not refuse the configurations: a roll-out
     * would end the replicas that work for one that never watches.
     */
    public boolean areServed() {
        return run.troubles().isEmpty() && writer.isPermitted();
    }

    /** Takes the webhooks back, then ends the server. */
    public void end() throws InterruptedException {
        try {
            writer.end();
        } finally {
            run.end();
        }
    }

    /** Runs the webhook server in a task of its own, and knows where it can be reached. Thread-safe. */
    static final class WebhookServerRun {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

        private final Platform platform;
        private final WebhookServer server;
        private final BuiltInServers builtIn;
        private final Answers answers;
        private final WebhookConfigurationTask writer;
        private final Consumer<OperatorException> failed;
        private final Monitor monitor;

        // Guarded by the monitor.
        private @Nullable Task task;
        private boolean ending;
        private boolean known;
        private @Nullable String delay;
        private @Nullable String crowd;
        private @Nullable OperatorException failure;

        /**
         * Does not run yet.
         *
         * @param answers to the reviews that come
         * @param writer hears where the server can be reached, whenever that changes, and tells the API server
         * @param failed hears that the server has ended before it was asked to
         */
        WebhookServerRun(
                Platform platform,
                WebhookServer server,
                BuiltInServers builtIn,
                Answers answers,
                WebhookConfigurationTask writer,
                Consumer<OperatorException> failed) {
            this.platform = platform;
            this.server = server;
            this.builtIn = builtIn;
            this.answers = answers;
            this.writer = writer;
            this.failed = failed;
            this.monitor = platform.monitor();
        }

        /**
         * Starts the server, and waits until it can be reached.
         *
         * @throws OperatorException if it ends before
         */
        void begin() throws InterruptedException {
            monitor.locked(() -> {
                task = platform.spawn("webhook server", this::serve);
            });
            monitor.awaitTrue(() -> known || failure != null, Deadline.NEVER);
            OperatorException problem = monitor.locked(() -> failure);
            if (problem != null) {
                throw problem;
            }
        }

        private void serve() {
            try {
                new Context(this::publish, this).serve(server, this::publish);
                fail("it has ended by itself", null);
            } catch (InterruptedException e) {
                fail("it was interrupted", e);
                Thread.currentThread().interrupt();
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                Throwable told = Platform.tellable(e);
                fail(told.getMessage() == null ? told.toString() : told.getMessage(), told);
            }
        }

        private void publish(WebhookClientConfig config) {
            log.debug("The webhooks are reached by {}.", config);
            writer.clientConfig(config);
            monitor.locked(() -> {
                known = true;
                delay = null;
            });
        }

        private void delay(String why) {
            monitor.locked(() -> {
                delay = why;
            });
        }

        private void crowd(@Nullable String why) {
            monitor.locked(() -> {
                crowd = why;
            });
        }

        /** Why the server cannot be reached, in words for people; empty if it can. */
        List<String> troubles() {
            return monitor.locked(() -> known
                    ? Stream.of(delay, crowd)
                            .filter(Objects::nonNull)
                            .map(why -> "the webhook server cannot be reached: " + why)
                            .toList()
                    : List.of("the webhook server does not serve yet" + (delay == null ? "" : ": " + delay)));
        }

        private void fail(String why, @Nullable Throwable cause) {
            if (monitor.locked(() -> ending)) {
                return;
            }
            String message = "The webhook server has failed: " + why;
            OperatorException problem =
                    cause == null ? new OperatorException(message) : new OperatorException(message, cause);
            monitor.locked(() -> {
                failure = problem;
            });
            failed.accept(problem);
        }

        /** Ends the server. */
        void end() throws InterruptedException {
            Task running = monitor.locked(() -> {
                ending = true;
                return task;
            });
            if (running != null) {
                running.interrupt();
                if (!running.join(platform.after(BuiltInServers.stopsWithin(server)))) {
                    log.warn("The webhook server ignores that it was interrupted, and is left behind.");
                }
            }
        }

        /** Answers reviews. Thread-safe. */
        @FunctionalInterface
        interface Answers {
            /** The answer to a review. */
            WebhookResponse answer(WebhookRequest request) throws InterruptedException;
        }

        /**
         * What the operator offers to a server.
         *
         * @param configs hears where the server can be reached
         * @param run the run of the outermost server
         */
        private record Context(Consumer<WebhookClientConfig> configs, WebhookServerRun run)
                implements BuiltInServers.CrowdedContext {
            @Override
            public WebhookResponse answer(WebhookRequest request) throws InterruptedException {
                return run.answers.answer(request);
            }

            @Override
            public void publish(WebhookClientConfig config) {
                configs.accept(config);
            }

            @Override
            public boolean awaitConfigured(Duration atMost) throws InterruptedException {
                return run.writer.awaitCurrent(run.platform.after(atMost));
            }

            @Override
            public void delayed(String why) {
                run.delay(why);
            }

            @Override
            public void crowded(@Nullable String why) {
                run.crowd(why);
            }

            @Override
            public void serve(WebhookServer inner, Consumer<WebhookClientConfig> innerConfigs) throws Exception {
                run.builtIn.serve(inner, new Context(innerConfigs, run));
            }
        }
    }

    /**
     * Room for the trees of all reviews at a time: two fifths of the heap. A few megabytes of brackets would take all
     * of it, from whoever reaches the port, or by dry runs of whoever may create one object. Thread-safe.
     */
    static final class TreeBudget {
        private static final int TOO_LARGE = 413;
        private static final int UNAVAILABLE = 503;

        private final long most;
        private final AtomicLong left;

        TreeBudget(long bytes) {
            this.most = bytes;
            this.left = new AtomicLong(bytes);
        }

        private static TreeBudget ofHeap() {
            return new TreeBudget(Runtime.getRuntime().maxMemory() / 5 * 2);
        }

        /**
         * Takes the room of the tree of a body, before there is one.
         *
         * @throws WebhookException if there is not as much
         */
        Share take(byte[] body) {
            long needed = JsonLimits.treeBytes(body);
            if (needed > most) {
                throw new WebhookException(
                        TOO_LARGE,
                        "the review would take about " + needed + " bytes of memory, more than the " + most
                                + " that the operator has for reviews, two fifths of its heap: give it more, or make the"
                                + " object smaller");
            }
            // Never below zero, not even for a moment: others would be refused for what nobody has.
            if (left.getAndUpdate(free -> free < needed ? free : free - needed) < needed) {
                throw new WebhookException(UNAVAILABLE, "there are too many large reviews at a time: try again");
            }
            return () -> left.addAndGet(needed);
        }

        /** What one review has taken, and gives back when it is answered. */
        interface Share extends AutoCloseable {
            @Override
            void close();
        }
    }
}
