package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.posting.PostingQueue.Entry;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Posts events one after another in a task of its own, as long as the operator runs; failures are logged, and nothing
 * else. Thread-safe.
 *
 * <p>An event that is repeated is counted in the one that was posted: by a patch, or, where patching is not permitted,
 * by another event with the count in it.
 */
public final class EventPoster implements EventSink, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.posting");

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

    // Confined to the task.
    private boolean refused;

    private EventPoster(Platform platform, KubernetesApi api, OperatorSettings.Posting settings) {
        this.platform = platform;
        this.settings = settings;
        this.monitor = platform.monitor();
        this.filter = new PostingFilter(settings);
        this.requests = new EventRequests(api, settings, monitor);
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
            monitor.locked(() -> queue.offer(event));
        }
    }

    private void serve() {
        try {
            while (true) {
                Optional<Entry> next = next();
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
        Deadline due = monitor.locked(queue::dueOfRepeated);
        return monitor.await(
                        () -> {
                            Optional<Entry> found = queue.poll();
                            boolean anew = queue.dueOfRepeated().compareTo(due) < 0 || (ending && queue.isEmpty());
                            return found.isPresent() || anew ? Optional.of(found) : Optional.empty();
                        },
                        due)
                .flatMap(found -> found);
    }

    private void deliver(Entry entry) throws InterruptedException {
        try {
            requests.send(entry, refused);
            refused = false;
        } catch (ClientException | JsonConversionException e) {
            boolean namespaceEnds = e instanceof ApiException refusal && refusal.isNamespaceEnding();
            tell(entry.event, e, namespaceEnds);
            refused = e instanceof ForbiddenException && !namespaceEnds;
        }
        int dropped = monitor.locked(queue::takeDropped);
        if (dropped > 0) {
            log.warn(
                    "{} events were dropped, as more than {} were waiting to be posted; settings.posting().queueLimit"
                            + " lets more of them wait, a higher level of settings.posting() makes fewer.",
                    dropped,
                    settings.queueLimit());
        }
    }

    /**
     * A missing permission is told once, not with each event. That nothing can be posted any more in a namespace that
     * is being deleted is as it should be.
     */
    private void tell(ObjectEvent event, RuntimeException failure, boolean namespaceEnds) {
        boolean known = namespaceEnds || (refused && failure instanceof ForbiddenException);
        Level level = known ? Level.DEBUG : Level.WARN;
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
}
