package dev.kopf4j;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Everything that one call of a handler can know: what was done to which object, and how often it was tried.
 *
 * <p>Given to lambdas; methods take what they need as parameters. Valid during the call; its views stay valid. Made by
 * the framework; not to be implemented.
 */
public interface HandlerContext extends MemoryAccess {
    /** The id of the handler. */
    String handlerId();

    /** The resource of the object. */
    Resource resource();

    /** What happened; {@link Reason#NOOP} in handlers of raw events and in index functions. */
    Reason reason();

    /** The type of the raw event in event handlers; empty for listed objects and in other handlers. */
    Optional<EventType> eventType();

    /**
     * True if the server has not sent the event: the framework has concluded that the object vanished while no watch
     * was open.
     */
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

    /** The namespace of the object; empty if it is cluster-scoped. */
    default Optional<String> namespace() {
        return meta().namespace();
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

    /**
     * The conditions in the status of the object, which are set through {@link #patch}; an error in index functions.
     */
    Conditions conditions();

    /**
     * The object with its spec and status in the given types.
     *
     * @param spec the type of the spec
     * @param status the type of the status
     */
    default <S, T> CustomObject<S, T> customObject(Class<S> spec, Class<T> status) {
        return customObject(TypeRef.of(spec), TypeRef.of(status));
    }

    /** The same in types with arguments. */
    <S, T> CustomObject<S, T> customObject(TypeRef<S> spec, TypeRef<T> status);

    /**
     * What has changed in the object, or in the field of a field handler; empty in event handlers. In admission
     * handlers it is of the whole object, everything included.
     */
    Diff diff();

    /**
     * The essence before the change as a {@link View}, or the value of the field; null if there was none, and in
     * handlers that are not called for changes. In admission handlers, the whole object as it is; null if it is to be
     * created.
     */
    @Nullable Object oldValue();

    /**
     * The same in the given type, as parameters of methods get it; empty if there was none.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    default <T> Optional<T> oldValue(Class<T> type) {
        return oldValue(TypeRef.of(type));
    }

    /**
     * The same in a type with arguments.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    <T> Optional<T> oldValue(TypeRef<T> type);

    /**
     * The essence after the change as a {@link View}, or the value of the field; null if there is none, and in handlers
     * that are not called for changes. In admission handlers, the whole object as it would become; null if it is to be
     * deleted.
     */
    @Nullable Object newValue();

    /**
     * The same in the given type, as parameters of methods get it; empty if there is none.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    default <T> Optional<T> newValue(Class<T> type) {
        return newValue(TypeRef.of(type));
    }

    /**
     * The same in a type with arguments.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    <T> Optional<T> newValue(TypeRef<T> type);

    /** How many attempts there were before this one. */
    int retry();

    /** When the first attempt was scheduled. */
    Instant started();

    /** The time since {@link #started}, including the time in which the operator was down. */
    Duration runtime();

    /**
     * The clock that the operator lives by: in tests in virtual time it is theirs, where {@code Instant.now()} is not.
     */
    InstantSource clock();

    /** The value given at the registration; null if none was. */
    @Nullable Object param();

    /**
     * The same in its type; empty if none was given.
     *
     * @throws ClassCastException if it is of another type
     */
    default <T> Optional<T> param(Class<T> type) {
        return Optional.ofNullable(type.cast(param()));
    }

    /** Tells a daemon or a timer that it should stop; an error in other handlers. */
    Stopped stopped();

    /** The request that an admission handler is asked about; an error in other handlers. */
    AdmissionRequest admission();

    /**
     * The children of the object; in handlers of {@link OnReconcile} it takes those that the object ought to have. An
     * error in index functions and admission handlers.
     */
    Children children();

    /** The child that a handler of {@link OnChild} is called for; an error in other handlers. */
    Body child();

    /** Declares sub-handlers; an error in handlers of events, daemons and timers. */
    SubHandlers subHandlers();

    /** Makes steps, each recorded before the next one; an error where no progress is remembered. */
    Steps steps();

    /**
     * How far a handler of the object has come with the change that is being handled: this one's own colleagues, and
     * sub-handlers. Live: asked again after {@link SubHandlers#execute}, it tells of the sub-handlers that were called
     * there. It reads what is stored on the object, so that event handlers, daemons and timers learn it, too; when all
     * handlers of the change have ended, nothing is stored any more, and no attempts are told.
     *
     * @param handlerId the id, with the field of a handler that has one, and with that of its parent in front of a
     *     sub-handler's: {@code "createFn/item-1"}
     */
    HandlerOutcome outcome(String handlerId);

    /** Logs with a reference to the object. */
    Logger logger();

    /** The same, but its lines are never posted as Kubernetes events, whatever {@code settings.posting()} says. */
    Logger localLogger();

    /** A service of an integration, such as a client library's client. */
    <T> T service(Class<T> type);
}
