package dev.kopf4j.engine.call;

import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.Body;
import dev.kopf4j.Child;
import dev.kopf4j.Children;
import dev.kopf4j.Conditions;
import dev.kopf4j.CustomObject;
import dev.kopf4j.Diff;
import dev.kopf4j.EventType;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.Index;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.Steps;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.TypeRef;
import dev.kopf4j.engine.call.ContextFactory.ChildrenLookup;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.JsonView;
import dev.kopf4j.object.ObjectConditions;
import dev.kopf4j.object.ObjectPatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.TypedObject;
import dev.kopf4j.object.ValueBinding;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One call of one handler. Confined to its thread, but for the immutable views that it gives out. */
final class HandlerCallContext implements HandlerContext {
    private final RegisteredHandler handler;
    private final ResourceObject resourceObject;
    private final InvocationCause invocationCause;
    private final CallTiming timing;
    private final PatchContent changes;
    private final Patch patch;
    private final SubHandlers subHandlers;
    private final ContextFactory surroundings;
    private @Nullable Steps steps;

    HandlerCallContext(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            CallTiming timing,
            PatchContent patch,
            SubHandlers subHandlers,
            ContextFactory surroundings) {
        this.handler = handler;
        this.resourceObject = resourceObject;
        this.invocationCause = invocationCause;
        this.timing = timing;
        this.changes = patch;
        this.patch = new ObjectPatch(resourceObject.node(), patch);
        this.subHandlers = subHandlers;
        this.surroundings = surroundings;
    }

    @Override
    public String handlerId() {
        return handler.id();
    }

    @Override
    public Resource resource() {
        return resourceObject.resource();
    }

    @Override
    public Reason reason() {
        return invocationCause.reason();
    }

    @Override
    public Optional<EventType> eventType() {
        return invocationCause instanceof InvocationCause.Watching(var event)
                ? Optional.ofNullable(
                        switch (event.type()) {
                            case LISTED -> null;
                            case ADDED -> EventType.ADDED;
                            case MODIFIED -> EventType.MODIFIED;
                            case DELETED -> EventType.DELETED;
                        })
                : Optional.empty();
    }

    @Override
    public boolean isSynthetic() {
        return invocationCause instanceof InvocationCause.Watching(var event) && event.synthetic();
    }

    @Override
    public Body body() {
        return resourceObject.body();
    }

    @Override
    public String name() {
        return textOf(resourceObject.reference().name());
    }

    @Override
    public Optional<String> namespace() {
        return Optional.ofNullable(resourceObject.reference().namespace());
    }

    @Override
    public String uid() {
        return textOf(resourceObject.reference().uid());
    }

    private static String textOf(@Nullable String part) {
        return part == null ? "" : part;
    }

    @Override
    public Patch patch() {
        if (handler.kind() == HandlerKind.INDEX) {
            throw new IllegalStateException(handler
                    + " asks for the patch, but index functions change nothing in the object; do it in @OnEvent or"
                    + " in a handler of changes");
        }
        return patch;
    }

    @Override
    public Conditions conditions() {
        var _ = patch();
        return new ObjectConditions(
                resourceObject.node(), resourceObject.observableGeneration(), changes, timing.clock());
    }

    @Override
    public <S, T> CustomObject<S, T> customObject(TypeRef<S> spec, TypeRef<T> status) {
        return new TypedObject<>(this, spec, status);
    }

    @Override
    public Diff diff() {
        return DiffConversion.of(
                invocationCause instanceof InvocationCause.Admitting admitting
                        ? admitting.diff()
                        : invocationCause.diff(handler.field()));
    }

    @Override
    public @Nullable Object oldValue() {
        return invocationCause instanceof InvocationCause.Admitting admitting
                ? shown(admitting.oldBody(), "oldValue")
                : shown(invocationCause.oldValue(handler.field()), "oldValue");
    }

    @Override
    public <T> Optional<T> oldValue(TypeRef<T> type) {
        return bound(oldValue(), "oldValue", type);
    }

    @Override
    public <T> Optional<T> newValue(TypeRef<T> type) {
        return bound(newValue(), "newValue", type);
    }

    @SuppressWarnings("unchecked") // a value of the type is bound
    private <T> Optional<T> bound(@Nullable Object value, String name, TypeRef<T> type) {
        return Optional.ofNullable((T) ValueBinding.bind(
                value,
                type.type(),
                () -> name + " of " + resourceObject.reference().describe()));
    }

    @Override
    public @Nullable Object newValue() {
        if (invocationCause instanceof InvocationCause.Admitting admitting) {
            return shown(admitting.newBody(), "newValue");
        }
        return !invocationCause.isOfChange() ? null : shown(invocationCause.newValue(handler.field()), "newValue");
    }

    private @Nullable Object shown(@Nullable JsonNode value, String name) {
        return value instanceof ObjectNode tree
                ? new JsonView(tree, name + " of " + resourceObject.reference().describe())
                : Json.toJava(value);
    }

    @Override
    public int retry() {
        return timing.retry();
    }

    @Override
    public Instant started() {
        return timing.started();
    }

    @Override
    public Duration runtime() {
        return Duration.between(timing.started(), timing.now());
    }

    @Override
    public InstantSource clock() {
        return timing.clock();
    }

    @Override
    public @Nullable Object param() {
        return handler.declaration().param();
    }

    @Override
    public <M> M memo(Class<M> type) {
        return OperatorMemos.cast(resourceObject.memo().get(), type);
    }

    @Override
    @SuppressWarnings("unchecked") // as is said to the user
    public <K extends @Nullable Object, V extends @Nullable Object> Index<K, V> index(String id) {
        return (Index<K, V>) surroundings.indexLookup().get(id);
    }

    @Override
    public Stopped stopped() {
        if (invocationCause instanceof InvocationCause.Spawning(var _, Stopped stopped) && stopped != null) {
            return stopped;
        }
        throw new IllegalStateException(
                handler + " is not asked to stop: only running daemons and timers are; use @OnDaemon or @OnTimer");
    }

    @Override
    public AdmissionRequest admission() {
        if (invocationCause instanceof InvocationCause.Admitting admitting) {
            return admitting.request();
        }
        throw new IllegalStateException(
                handler
                        + " is not called for a request of a client: only admission handlers are; use @OnValidate or @OnMutate");
    }

    @Override
    public Children children() {
        if (invocationCause instanceof InvocationCause.Reconciling(var _, Children children) && children != null) {
            return children;
        }
        return new ExistingChildren(handler, resourceObject, surroundings.childrenLookup());
    }

    @Override
    public Body child() {
        if (invocationCause instanceof InvocationCause.OfChild(var _, var _, ObjectNode child)) {
            return new BodyView(child);
        }
        throw new IllegalStateException(handler + " is not called for a child: only handlers of @OnChild are");
    }

    @Override
    public SubHandlers subHandlers() {
        return subHandlers;
    }

    @Override
    public Steps steps() {
        Steps made = steps == null ? surroundings.stepsSource().of(this) : steps;
        steps = made;
        return made;
    }

    @Override
    public HandlerOutcome outcome(String handlerId) {
        return surroundings.stored().of(handlerId, resourceObject.node());
    }

    @Override
    public Logger logger() {
        return resourceObject.logger();
    }

    @Override
    public Logger localLogger() {
        return resourceObject.localLogger();
    }

    @Override
    public <T> T service(Class<T> type) {
        return type.cast(surroundings.serviceProvider().get(type));
    }

    /** Turns a difference of trees into what handlers see. Pure. */
    private static final class DiffConversion {
        private DiffConversion() {}

        static Diff of(JsonDiff diff) {
            return new Diff(diff.items().stream().map(DiffConversion::item).toList());
        }

        private static Diff.Item item(JsonDiff.Item item) {
            Diff.Op op = switch (item.operation()) {
                case ADD -> Diff.Op.ADD;
                case CHANGE -> Diff.Op.CHANGE;
                case REMOVE -> Diff.Op.REMOVE;
            };
            return new Diff.Item(op, item.field().keys(), Json.toJava(item.oldValue()), Json.toJava(item.newValue()));
        }
    }

    /** The children of an object for handlers that do not say which there ought to be. Confined to the call. */
    private record ExistingChildren(RegisteredHandler handler, ResourceObject parent, ChildrenLookup lookup)
            implements Children {
        @Override
        public List<Body> live() {
            return lookup.of(parent);
        }

        @Override
        public Child add(Object object) {
            throw notAsked();
        }

        @Override
        public void addAll(Object objects) {
            throw notAsked();
        }

        private IllegalStateException notAsked() {
            return new IllegalStateException(
                    handler + " is not asked which children there ought to be: only handlers of @OnReconcile are");
        }
    }

    /**
     * How often and since when a handler is tried. Immutable.
     *
     * @param retry attempts before this one
     * @param started when the first attempt was scheduled
     * @param now when this attempt starts
     * @param clock tells the time while it runs
     */
    record CallTiming(int retry, Instant started, Instant now, InstantSource clock) {}
}
