package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one resource that cannot be read. Each is told once, in the log and as an event about it, until it can
 * be read again; each time is counted. Thread-safe.
 */
public final class UnreadableObjects {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /** Whoever may create any number of them must not fill the memory or the log. */
    private static final int REMEMBERED_MAX = 1000;

    private final Monitor monitor;
    private final Resource resource;
    private final EventSink posting;
    private final OperatorTrace trace;
    private final Set<String> told = new HashSet<>();
    /** Each event asks, and mostly there are none. */
    private volatile boolean any;

    /**
     * All objects can be read.
     *
     * @param posting where the events go
     * @param trace is told of each
     */
    public UnreadableObjects(Platform platform, Resource resource, EventSink posting, OperatorTrace trace) {
        this.monitor = platform.monitor();
        this.resource = resource;
        this.posting = posting;
        this.trace = trace;
    }

    /** An object could not be read; its uid or its name may not be known. */
    void tell(ObjectReference object, String reason) {
        trace.happened(new OperatorStep.ObjectUnreadable(resource, object, reason));
        Set<String> keys = keys(object);
        boolean isNew = monitor.locked(() -> {
            any = true;
            boolean known = !Collections.disjoint(told, keys) || told.size() >= REMEMBERED_MAX;
            return !known && told.addAll(keys);
        });
        if (!isNew) {
            return;
        }
        String text =
                "K4-019: The object cannot be read, so no handler is called for it until it has changed: " + reason;
        if (object.name() == null && object.uid() == null) {
            log.warn("An object of {}, it cannot be told which one: {}", resource, text);
        } else {
            new ObjectLogger(object).warn("{} (its uid is {})", text, object.uid());
        }
        if (object.name() != null) {
            posting.post(ObjectEvent.warning(object, "Unreadable", text));
        }
    }

    /** An object has been read, or is gone. */
    void readable(ObjectReference object, boolean gone) {
        if (!any) {
            return;
        }
        boolean wasTold = monitor.locked(() -> {
            boolean removed = told.removeAll(keys(object));
            any = !told.isEmpty();
            return removed;
        });
        if (wasTold && !gone) {
            new ObjectLogger(object).info("The object can be read again.");
        }
    }

    /** What is damaged may tell its name, its uid, or both: it is the same object. */
    private static Set<String> keys(ObjectReference object) {
        Set<String> keys = new HashSet<>();
        addIfPresent(keys, "uid ", object.uid());
        addIfPresent(keys, "name ", object.name() == null ? null : object.toString());
        if (keys.isEmpty()) {
            keys.add("unknown");
        }
        return keys;
    }

    private static void addIfPresent(Set<String> keys, String kind, @Nullable String value) {
        if (value != null) {
            keys.add(kind + value);
        }
    }
}
