package dev.kopf4j;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Everything that one call of a handler can know: what was done to which object, and how often it was tried.
 *
 * <p>Given to lambdas; methods take what they need as parameters. Valid during the call; its views stay valid.
 */
public interface HandlerContext extends MemoryAccess {
    /** The id of the handler. */
    String handlerId();

    /** The resource of the object. */
    Resource resource();

    /** What happened; {@link Reason#NOOP} in handlers of raw events and in index functions. */
    Reason reason();

    /**
     * The type of the raw event in event handlers: ADDED, MODIFIED, DELETED; empty for listed objects and in other
     * handlers.
     */
    Optional<String> eventType();

    /** True if the event was not sent by the server but concluded: the object has vanished while nobody looked. */
    boolean isSynthetic();

    /**
     * The object, with the changes made by earlier handlers of the same cycle. In daemons and timers it is live: it
     * always shows the newest state, as its stanzas do.
     */
    Body body();

    /** The {@code spec} of the object. */
    default Spec spec() {
        return body().spec();
    }

    /** The {@code status} of the object. */
    default Status status() {
        return body().status();
    }

    /** The {@code metadata} of the object. */
    default Meta meta() {
        return body().meta();
    }

    /** The name of the object. */
    default String name() {
        return meta().name();
    }

    /** The namespace of the object; null if it is cluster-scoped. */
    default @Nullable String namespace() {
        return meta().namespace().orElse(null);
    }

    /** The uid of the object. */
    default String uid() {
        return meta().uid();
    }

    /** The labels of the object. */
    default Map<String, String> labels() {
        return meta().labels();
    }

    /** The annotations of the object. */
    default Map<String, String> annotations() {
        return meta().annotations();
    }

    /** What the handler wants to be changed in the object; an error in index functions. */
    Patch patch();

    /** What has changed in the object, or in the field of a field handler; empty in event handlers. */
    Diff diff();

    /** The essence before the change, or the value of the field; null if there was none. */
    @Nullable Object oldValue();

    /** The essence after the change, or the value of the field; null if there is none. */
    @Nullable Object newValue();

    /** How many attempts there were before this one. */
    int retry();

    /** When the first attempt was scheduled. */
    Instant started();

    /** The time since {@link #started}, including the time in which the operator was down. */
    Duration runtime();

    /** The value given at the registration; null if none was. */
    @Nullable Object param();

    /** Tells a daemon or a timer that it should stop; an error in other handlers. */
    Stopped stopped();

    /** Declares sub-handlers; an error in handlers of events, daemons and timers. */
    SubHandlers subHandlers();

    /** Logs with a reference to the object. */
    Logger logger();

    /** A service of an integration, such as a client library's client. */
    <T> T service(Class<T> type);
}
