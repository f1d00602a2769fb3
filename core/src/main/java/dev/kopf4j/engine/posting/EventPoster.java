package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.engine.posting.EventPoster.EventRequests.KubernetesEventBody.Repeats;
import dev.kopf4j.engine.posting.EventPoster.PostingQueue.Entry;
import dev.kopf4j.engine.posting.EventPoster.PostingQueue.Posted;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.databind.node.ObjectNode;

/**
 * Posts events one after another in a task of its own, as long as the operator runs; failures are logged, and nothing
 * else. Thread-safe.
 *
 * <p>What may succeed later is posted again, beside the other events: a namespace, or an event, that is refused holds
 * up no other one. An overloaded server, and one that does not answer, is waited for.
 *
 * <p>An event that is repeated is counted in the one that was posted: by a patch, or, where patching is not permitted,
 * by another event with the count in it.
 */
public final class EventPoster implements EventSink, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.posting");

    /** Of how many namespaces a refusal is remembered, and told. */
    private static final int REFUSED_MAX = 1000;

    /** For how long: rights are granted, and namespaces come and go. */
    private static final Duration REFUSED_FOR = Duration.ofHours(1);

    /** How often a namespace that is being deleted is asked: an object there may log thousands of lines. */
    private static final Duration TERMINATING_FOR = Duration.ofSeconds(10);

    /** What is left at the operator's end is posted within this time, or never. */
    private static final Duration LAST_CALL = Duration.ofSeconds(2);

    private final Platform platform;
    private final OperatorSettings.Posting settings;
    private final PostingFilter filter;
    private final EventRequests requests;
    private final Monitor monitor;
    private final PostingQueue queue;
    private final Task task;
    private boolean ending;

    /**
     * The namespaces that take no events, and until when that is remembered; those of objects in none count as one.
     * Confined to the task.
     */
    private final Map<String, Deadline> refused = new HashMap<>();

    /** The namespaces that take no new events as they are being deleted, and until when none is posted. As above. */
    private final Map<String, Deadline> terminating = new HashMap<>();

    private EventPoster(Platform platform, KubernetesApi api, OperatorSettings.Posting settings) {
        this.platform = platform;
        this.settings = settings;
        this.monitor = platform.monitor();
        this.filter = new PostingFilter(settings);
        this.requests = new EventRequests(platform, api, settings);
        this.queue = new PostingQueue(platform, settings.aggregation(), settings.queueLimit());
        this.task = platform.spawn("poster of events", this::serve);
    }

    /** A poster that works until it is closed. */
    public static EventPoster start(Platform platform, KubernetesApi api, OperatorSettings.Posting settings) {
        return new EventPoster(platform, api, settings);
    }

    @Override
    public void post(ObjectEvent event) {
        if (filter.passes(event)) {
            ObjectEvent kept = EventRequests.KubernetesEventBody.shortened(event);
            monitor.locked(() -> queue.offer(kept));
        }
    }

    private void serve() {
        try {
            while (true) {
                Optional<Entry> next = next();
                tellDropped();
                if (next.isPresent()) {
                    deliver(next.get());
                } else if (monitor.locked(() -> ending && queue.isEmpty())) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty if something has changed. */
    private Optional<Entry> next() throws InterruptedException {
        Deadline due = monitor.locked(queue::due);
        return monitor.await(
                        () -> {
                            Optional<Entry> found = queue.poll();
                            boolean anew = queue.due().compareTo(due) < 0 || (ending && queue.isEmpty());
                            return found.isPresent() || anew ? Optional.of(found) : Optional.empty();
                        },
                        due)
                .flatMap(found -> found);
    }

    private void deliver(Entry entry) throws InterruptedException {
        if (entry.posted == null && isTerminating(namespace(entry))) {
            log.debug("An event is not posted, as its namespace is being deleted: {}", entry.event.message());
            return;
        }
        try {
            sendNowOrLater(entry);
        } catch (ClientException e) {
            entry.failures = 0;
            tell(entry.event, e, isNews(entry, e) ? Level.WARN : Level.DEBUG);
        } catch (RuntimeException e) {
            // One event that cannot be written must not hold up all others for ever.
            tell(entry.event, e, Level.WARN);
        }
    }

    private void sendNowOrLater(Entry entry) throws InterruptedException {
        try {
            requests.send(entry);
            entry.failures = 0;
            refused.remove(namespace(entry));
        } catch (ClientException e) {
            if (!mayPass(entry, e) || !isQueuedAgain(entry)) {
                throw e;
            }
            log.debug("An event could not be posted, and is tried again: {}", e.getMessage());
        }
    }

    /** True if another attempt may succeed, and was not made on the spot already. */
    private boolean mayPass(Entry entry, ClientException failure) {
        boolean isChange = entry.posted != null;
        return switch (failure) {
            case ServerErrorException e -> !e.isTooLarge();
            case ConnectionFailedException e -> isChange || !e.neverOpen();
            case TooManyRequestsException _ -> isChange;
            // Roles are often granted a moment later than needed.
            case ForbiddenException e -> isAboutRights(e) && isNewRefusal(namespace(entry));
            default -> false;
        };
    }

    /** Refusals are told once for each namespace; where it is being deleted, they are as it should be. */
    private boolean isNews(Entry entry, ClientException failure) {
        if (failure instanceof ForbiddenException refusal && isAboutRights(refusal)) {
            boolean isNew = isNewRefusal(namespace(entry));
            if (isNew) {
                refused.put(namespace(entry), platform.after(REFUSED_FOR));
            }
            return isNew;
        }
        if (failure instanceof ApiException refusal && refusal.isNamespaceEnding()) {
            // One that is gone already may be made anew at any moment.
            if (refusal instanceof ForbiddenException && terminating.size() < REFUSED_MAX) {
                terminating.put(namespace(entry), platform.after(TERMINATING_FOR));
            }
            return false;
        }
        return true;
    }

    private boolean isTerminating(String namespace) {
        terminating.values().removeIf(until -> until.hasPassed(platform));
        return terminating.containsKey(namespace);
    }

    private static boolean isAboutRights(ForbiddenException refusal) {
        return !refusal.isNamespaceEnding() && !refusal.isDenied();
    }

    private boolean isNewRefusal(String namespace) {
        refused.values().removeIf(until -> until.hasPassed(platform));
        return refused.size() < REFUSED_MAX && !refused.containsKey(namespace);
    }

    private boolean isQueuedAgain(Entry entry) {
        Optional<Duration> backoff = requests.backoff(entry.failures++);
        return backoff.isPresent() && monitor.locked(() -> !ending && queue.offerAgain(entry, backoff.get()));
    }

    private void tellDropped() {
        int dropped = monitor.locked(queue::takeDropped);
        if (dropped > 0) {
            log.warn(
                    "K4-010: {} events were dropped, as more than {} were waiting to be posted; settings.posting().queueLimit"
                            + " lets more of them wait, a higher level of settings.posting() makes fewer.",
                    dropped,
                    settings.queueLimit());
        }
    }

    private static String namespace(Entry entry) {
        return Objects.requireNonNullElse(entry.event.object().namespace(), "");
    }

    private static void tell(ObjectEvent event, RuntimeException failure, Level level) {
        log.atLevel(level)
                .log(
                        "Failed to post an event. Ignoring and continuing. {}: type={}, reason={}, message={}",
                        failure.getMessage(),
                        event.type(),
                        event.reason(),
                        event.message());
    }

    /** Posts what is left, as far as that is quick. */
    @Override
    public void close() {
        monitor.locked(() -> {
            ending = true;
            queue.hurry();
        });
        try {
            if (!task.join(platform.after(LAST_CALL))) {
                log.debug("Some events are not posted any more, as the operator stops.");
                task.interrupt();
            }
        } catch (InterruptedException e) {
            task.interrupt();
            Thread.currentThread().interrupt();
        }
        tellDropped();
    }

    /**
     * Which events are posted at all. Thread-safe.
     *
     * @param settings whether events are posted, and from which level on
     */
    private record PostingFilter(OperatorSettings.Posting settings) {
        boolean passes(ObjectEvent event) {
            return settings.enabled() && isSevereEnough(event) && !isAboutEvent(event.object());
        }

        private boolean isSevereEnough(ObjectEvent event) {
            return event.level() == null
                    || event.level().toInt() >= settings.level().toInt();
        }

        /** Events about events would never end. */
        private static boolean isAboutEvent(ObjectReference object) {
            String version = object.apiVersion();
            return "Event".equals(object.kind())
                    && version != null
                    && (version.equals("v1") || version.startsWith("events.k8s.io/"));
        }
    }

    /**
     * The events that wait to be posted, in their order. What has happened again meanwhile is counted, not queued; so
     * is what was posted a short while ago: that event is changed, and not more often than every few seconds. What has
     * failed waits beside the others. Guarded by the poster's monitor.
     */
    static final class PostingQueue {
        /** How often an event that is posted already is changed at the most. */
        private static final Duration CHANGED_EVERY = Duration.ofSeconds(10);

        /** How often it is told at the most that events are dropped. */
        private static final Duration DROPPED_TOLD_EVERY = Duration.ofMinutes(1);

        /** Each is about as large as its message. As many wait at the most for being tried again. */
        private static final int REMEMBERED_MAX = 1000;

        private final Platform platform;
        private final Duration aggregation;
        private final int limit;
        private final Deque<Entry> fresh = new ArrayDeque<>();
        private final Queue<Entry> repeated = new PriorityQueue<>(
                Comparator.comparing((Entry entry) -> entry.changedFrom).thenComparingLong(entry -> entry.number));
        private final Map<ObjectEvent, Entry> known = new LinkedHashMap<>();
        private long numbered;
        private int dropped;
        private Deadline droppedToldFrom;

        PostingQueue(Platform platform, Duration aggregation, int limit) {
            this.platform = platform;
            this.aggregation = aggregation;
            this.limit = limit;
            this.droppedToldFrom = platform.after(Duration.ZERO);
        }

        /** One event, with all its repeats. */
        static final class Entry {
            final ObjectEvent event;
            Repeats repeats;
            /** The name that it is posted with; null as long as it has none. */
            @Nullable String name;

            /** Where it was posted; null as long as it was not. */
            @Nullable Posted posted;

            /** How many attempts have failed since one succeeded, or the last one was given up. */
            int failures;

            private Deadline changedFrom = Deadline.NEVER;
            /** Which of those that are due at the same time comes first. */
            private long number;

            private boolean waiting = true;

            private Entry(ObjectEvent event, Repeats repeats) {
                this.event = event;
                this.repeats = repeats;
            }
        }

        /** Where an event is. */
        record Posted(String namespace, String name) {}

        /** Takes an event; if there are too many, it is dropped and counted. */
        void offer(ObjectEvent event) {
            Instant now = platform.now();
            Entry same = remembered(event, now);
            if (same != null) {
                same.repeats = same.repeats.again(now);
                if (!same.waiting) {
                    same.waiting = true;
                    same.number = numbered++;
                    repeated.add(same);
                }
            } else if (fresh.size() >= limit) {
                dropped++;
            } else {
                remember(new Entry(event, Repeats.once(now)));
            }
        }

        /** Takes an event again that could not be posted or changed; false if too many wait for that. */
        boolean offerAgain(Entry entry, Duration delay) {
            if (!entry.waiting && repeated.size() >= REMEMBERED_MAX) {
                return false;
            }
            repeated.remove(entry); // it may have happened again meanwhile
            entry.changedFrom = platform.after(delay);
            entry.waiting = true;
            entry.number = numbered++;
            return repeated.add(entry);
        }

        private @Nullable Entry remembered(ObjectEvent event, Instant now) {
            Entry same = known.get(event);
            boolean recent = same != null && now.isBefore(same.repeats.first().plus(aggregation));
            return recent ? same : null;
        }

        private void remember(Entry entry) {
            fresh.add(entry);
            known.remove(entry.event);
            if (!aggregation.isZero()) {
                known.put(entry.event, entry);
            }
            if (known.size() > REMEMBERED_MAX) {
                known.remove(known.keySet().iterator().next());
            }
        }

        /** The next event to post or to change; empty if there is none at the moment. */
        Optional<Entry> poll() {
            Entry next = fresh.poll();
            if (next == null && !repeated.isEmpty() && dueOfRepeated().hasPassed(platform)) {
                next = repeated.remove();
            }
            if (next != null) {
                next.waiting = false;
                next.changedFrom = platform.after(CHANGED_EVERY);
            }
            return Optional.ofNullable(next);
        }

        /** When there will be something to do if no new one comes. */
        Deadline due() {
            return dropped > 0 ? dueOfRepeated().orEarlier(droppedToldFrom) : dueOfRepeated();
        }

        private Deadline dueOfRepeated() {
            Entry first = repeated.peek();
            return first == null ? Deadline.NEVER : first.changedFrom;
        }

        boolean isEmpty() {
            return fresh.isEmpty() && repeated.isEmpty();
        }

        /** Nothing needs to be counted any longer: everything that waits is due now. */
        void hurry() {
            Deadline now = platform.after(Duration.ZERO);
            List<Entry> all = List.copyOf(repeated);
            repeated.clear();
            all.forEach(entry -> entry.changedFrom = now);
            repeated.addAll(all);
            droppedToldFrom = now;
        }

        /** How many were dropped since this was told last; 0 if that is to be told later. */
        int takeDropped() {
            int number = droppedToldFrom.hasPassed(platform) ? dropped : 0;
            if (number > 0) {
                dropped = 0;
                droppedToldFrom = platform.after(DROPPED_TOLD_EVERY);
            }
            return number;
        }
    }

    /** Makes the requests for events. Confined to the poster's task, but for what the queue's monitor guards. */
    static final class EventRequests {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.posting");

        /** Where other programs, too, post events about objects in no namespace. */
        private static final String DEFAULT = "default";

        /** How often it is asked at the most where it has refused, as roles may be granted later. */
        private static final Duration DEFAULT_ASKED_EVERY = Duration.ofMinutes(10);

        /** However many backoffs the settings have: they may be endless. */
        private static final int REPETITIONS_MAX = 10;

        /**
         * A refusal is not tried again on the spot: that would hold up the events of all other namespaces. Only where
         * no event can be posted at all, as nobody listens or the server is overloaded, an attempt waits for the next
         * one.
         */
        private final KubernetesApi creations;

        private final KubernetesApi changes;
        private final KubernetesEventBody bodies;
        private final Platform platform;
        private final Monitor monitor;
        private final String namePrefix;
        private Deadline defaultRefusesUntil;

        EventRequests(Platform platform, KubernetesApi api, OperatorSettings.Posting settings) {
            this.platform = platform;
            this.monitor = platform.monitor();
            this.namePrefix = settings.eventNamePrefix();
            this.creations = api.with(api.settings().withoutRetriesOfForbidden());
            this.changes = api.with(api.settings().withErrorBackoffs());
            this.bodies = new KubernetesEventBody(settings);
            this.defaultRefusesUntil = platform.after(Duration.ZERO);
        }

        /** The pause after a failure, as for other requests; empty if there is to be no other attempt. */
        Optional<Duration> backoff(int failures) {
            return StreamSupport.stream(
                            creations.settings().retries().backoffs().spliterator(), false)
                    .limit(REPETITIONS_MAX)
                    .skip(failures)
                    .findFirst();
        }

        /** Posts an event, or counts it in the one that was posted. */
        void send(Entry entry) throws InterruptedException {
            Posted posted = entry.posted;
            if (posted == null || !change(posted, entry)) {
                create(entry);
            }
        }

        /** False if it cannot be changed: it needs to be posted anew, by another name. */
        private boolean change(Posted posted, Entry entry) throws InterruptedException {
            ObjectNode patch = KubernetesEventBody.repeated(monitor.locked(() -> entry.repeats));
            try {
                changes.patch(
                        WellKnownResources.EVENTS, posted.namespace(), posted.name(), null, PatchType.MERGE, patch);
                return true;
            } catch (ForbiddenException | NotFoundException e) {
                log.debug("The count of an event cannot be changed, it is posted anew: {}", e.getMessage());
                entry.posted = null;
                entry.name = null;
                return false;
            }
        }

        /**
         * The event of an object in no namespace names none either, as {@code kubectl describe} asks for such. Servers
         * take those in {@code default}. Who has no right to that posts where he is: that namespace must be named.
         */
        private void create(Entry entry) throws InterruptedException {
            String own = entry.event.object().namespace();
            if (own != null) {
                create(entry, own, own);
                return;
            }
            String namespace = creations.defaultNamespace();
            boolean mayAsk = defaultRefusesUntil.hasPassed(platform) || namespace.equals(DEFAULT);
            if (!mayAsk || !isCreatedInDefault(entry, namespace)) {
                create(entry, namespace, namespace);
            }
        }

        private boolean isCreatedInDefault(Entry entry, String otherwise) throws InterruptedException {
            try {
                create(entry, DEFAULT, null);
                return true;
            } catch (ForbiddenException e) {
                if (otherwise.equals(DEFAULT)) {
                    throw e;
                }
                defaultRefusesUntil = platform.after(DEFAULT_ASKED_EVERY);
                return false;
            }
        }

        private void create(Entry entry, String namespace, @Nullable String namespaceOfObject)
                throws InterruptedException {
            String name = Objects.requireNonNullElseGet(entry.name, this::newName);
            entry.name = name;
            Posted posted = new Posted(namespace, name);
            Repeats repeats = monitor.locked(() -> entry.repeats);
            try {
                creations.create(
                        WellKnownResources.EVENTS,
                        namespace,
                        bodies.of(entry.event, posted, namespaceOfObject, repeats));
                entry.posted = posted;
            } catch (ConflictException e) {
                if (!e.reason().equals("AlreadyExists")) {
                    throw e;
                }
                // An attempt that seemed to fail has succeeded, perhaps before the event happened again.
                entry.posted = posted;
                if (repeats.count() > 1 && !change(posted, entry)) {
                    create(entry, namespace, namespaceOfObject);
                }
            }
        }

        /** Not the server's: by the same name, an event can be posted again without becoming two. */
        private String newName() {
            return namePrefix + HexFormat.of().toHexDigits(platform.random().nextLong());
        }

        /**
         * Writes events as the API wants them: core {@code v1}, which is what {@code kubectl describe} shows.
         *
         * @param settings the component and instance that report the events
         */
        record KubernetesEventBody(OperatorSettings.Posting settings) {
            /** The API refuses longer messages; it counts bytes. */
            private static final int MESSAGE_MAX = 1024;

            private static final int REASON_MAX = 128;

            /** What can be posted of an event: the rest is not kept while it waits. */
            static ObjectEvent shortened(ObjectEvent event) {
                return new ObjectEvent(
                        event.object(),
                        event.level(),
                        event.type(),
                        TextShortener.middle(event.reason(), REASON_MAX),
                        TextShortener.middle(event.message(), MESSAGE_MAX));
            }

            /**
             * The body of a new, shortened event that has happened so many times.
             *
             * @param posted where it is posted
             * @param namespaceOfObject where the server looks for its object; null for no namespace
             */
            ObjectNode of(ObjectEvent event, Posted posted, @Nullable String namespaceOfObject, Repeats repeats) {
                ObjectNode body = Json.object().put("apiVersion", "v1").put("kind", "Event");
                body.putObject("metadata").put("namespace", posted.namespace()).put("name", posted.name());
                body.put("action", "Action?");
                body.put("type", event.type());
                body.put("reason", reason(event));
                body.put("message", event.message());
                body.put("reportingComponent", settings.reportingComponent());
                body.put("reportingInstance", settings.reportingInstance());
                body.putObject("source").put("component", settings.reportingComponent());
                body.set("involvedObject", reference(event.object(), namespaceOfObject));
                body.put("firstTimestamp", KubernetesTimestamps.format(repeats.first()));
                body.put("lastTimestamp", KubernetesTimestamps.format(repeats.last()));
                body.put("eventTime", KubernetesTimestamps.format(repeats.first()));
                if (repeats.count() > 1) {
                    body.put("count", repeats.count());
                }
                return body;
            }

            /** The change of an event that has happened again. */
            static ObjectNode repeated(Repeats repeats) {
                ObjectNode patch = Json.object().put("count", repeats.count());
                return patch.put("lastTimestamp", KubernetesTimestamps.format(repeats.last()));
            }

            /** The API refuses events without one. */
            private static String reason(ObjectEvent event) {
                return event.reason().isBlank() ? "Unspecified" : event.reason();
            }

            private static ObjectNode reference(ObjectReference object, @Nullable String namespace) {
                ObjectNode reference = Json.object();
                putIfPresent(reference, "apiVersion", object.apiVersion());
                putIfPresent(reference, "kind", object.kind());
                putIfPresent(reference, "name", object.name());
                putIfPresent(reference, "uid", object.uid());
                putIfPresent(reference, "namespace", namespace);
                return reference;
            }

            private static void putIfPresent(ObjectNode reference, String key, @Nullable String value) {
                if (value != null) {
                    reference.put(key, value);
                }
            }

            /**
             * How often, and when, something has happened.
             *
             * @param first when it has happened first
             * @param last when it has happened last
             * @param count how many times
             */
            record Repeats(Instant first, Instant last, int count) {
                static Repeats once(Instant now) {
                    return new Repeats(now, now, 1);
                }

                Repeats again(Instant now) {
                    return new Repeats(first, now, count + 1);
                }
            }
        }
    }

    /**
     * Posts what is logged about objects, if the settings say so.
     *
     * @param settings whether log messages are posted, and from which level on
     * @param sink where it is posted, if events are posted at all
     */
    public record LogPosting(OperatorSettings.Posting settings, EventSink sink) implements ObjectLogListener {
        @Override
        public boolean isInterestedIn(Level level) {
            return settings.loggers() && level.toInt() >= settings.level().toInt();
        }

        @Override
        public void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable) {
            String text = throwable == null ? message : message + "\n" + trace(throwable);
            sink.post(new ObjectEvent(object, level, type(level), "Logging", text));
        }

        private static String type(Level level) {
            return switch (level) {
                case TRACE, DEBUG -> "Debug";
                case INFO -> "Normal";
                case WARN -> "Warning";
                case ERROR -> "Error";
            };
        }

        private static String trace(Throwable throwable) {
            StringWriter text = new StringWriter();
            throwable.printStackTrace(new PrintWriter(text, true));
            return text.toString().stripTrailing();
        }
    }
}
