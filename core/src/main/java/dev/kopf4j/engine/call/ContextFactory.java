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
import dev.kopf4j.engine.call.HandlerAttempt.NoSubHandlers;
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
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the contexts of calls. Thread-safe.
 *
 * @param platform their time
 * @param stored what objects have stored of their handlers
 * @param stepsSource makes the steps of a call when they are asked for
 */
public record ContextFactory(
        Platform platform,
        ServiceProvider serviceProvider,
        IndexLookup indexLookup,
        ChildrenLookup childrenLookup,
        HandlerOutcomes stored,
        StepsSource stepsSource) {
    /** For calls without steps. */
    public ContextFactory(
            Platform platform,
            ServiceProvider serviceProvider,
            IndexLookup indexLookup,
            ChildrenLookup childrenLookup,
            HandlerOutcomes stored) {
        this(platform, serviceProvider, indexLookup, childrenLookup, stored, StepsSource.NONE);
    }

    /** The children of an object that exist. */
    public List<Body> childrenOf(ResourceObject parent) {
        return childrenLookup.of(parent);
    }

    /** The same, but what is known of the handlers comes from there, and else from what the object has stored. */
    public ContextFactory with(HandlerOutcomes known) {
        HandlerOutcomes both = (handlerId, body) -> {
            ProgressRecord record = known.record(handlerId, body);
            return record == null ? stored.record(handlerId, body) : record;
        };
        return new ContextFactory(platform, serviceProvider, indexLookup, childrenLookup, both, stepsSource);
    }

    /** The same for calls whose steps come from there. */
    public ContextFactory with(StepsSource source) {
        return new ContextFactory(platform, serviceProvider, indexLookup, childrenLookup, stored, source);
    }

    /** Makes the steps of a call. Thread-safe. */
    @FunctionalInterface
    public interface StepsSource {
        /** Where there can be none. */
        StepsSource NONE = context -> {
            throw new IllegalStateException("steps are possible in handlers of changes (creation, update, deletion,"
                    + " resuming, field), in timers and in daemons only, as nothing else remembers progress");
        };

        /** Those of the call with that context. */
        Steps of(HandlerContext context);
    }

    /**
     * The context of one call.
     *
     * @param record how far the handler has come
     * @param patch takes what the call wants to be changed
     */
    public HandlerContext forCall(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            ProgressRecord record,
            PatchContent patch,
            SubHandlers subHandlers) {
        return new HandlerCallContext(this, handler, resourceObject, invocationCause, record, patch, subHandlers);
    }

    /** For filters, which are asked before it is known whether there is a call; made only if a filter looks at it. */
    public Supplier<HandlerContext> forFilters(
            RegisteredHandler handler, ResourceObject resourceObject, InvocationCause invocationCause) {
        return () -> forCall(
                handler,
                resourceObject,
                invocationCause,
                ProgressRecord.fresh(platform.now(), null),
                new PatchContent(),
                NoSubHandlers.INSTANCE);
    }

    /** How far the handlers of an object have come, as their colleagues ask for it. Thread-safe. */
    @FunctionalInterface
    public interface HandlerOutcomes {
        /**
         * The record of a handler; null if there is none.
         *
         * @param body the object as the asking handler sees it
         */
        @Nullable ProgressRecord record(String handlerId, ObjectNode body);

        /** What the record says; nothing was done if there is none. */
        default HandlerOutcome of(String handlerId, ObjectNode body) {
            ProgressRecord record = record(handlerId, body);
            return record == null
                    ? new HandlerOutcome(0, false, false, Optional.empty())
                    : new HandlerOutcome(
                            record.retries(),
                            record.success(),
                            record.failure(),
                            Optional.ofNullable(record.message()));
        }
    }

    /** Finds the children of objects. Thread-safe. */
    @FunctionalInterface
    public interface ChildrenLookup {
        /** Where nobody knows children. */
        ChildrenLookup NONE = parent -> {
            throw new IllegalStateException(
                    "children are not known here; take them in handlers of events, of changes or of"
                            + " children, in daemons or timers");
        };

        /**
         * The children that exist.
         *
         * @throws IllegalStateException if no kind is watched for children of such objects
         */
        List<Body> of(ResourceObject parent);
    }

    /** The indices of an operator. Thread-safe. */
    @FunctionalInterface
    public interface IndexLookup {
        /**
         * The index of an id.
         *
         * @throws IllegalArgumentException if there is none; the message names those that there are
         */
        Index<?, ?> get(String id);
    }

    /** Gives handlers the clients of other libraries. Thread-safe. */
    @FunctionalInterface
    public interface ServiceProvider {
        /** No services at all. */
        ServiceProvider NONE = type -> {
            throw new IllegalStateException("there is no " + type.getName() + " here");
        };

        /**
         * The service of a type, made at the first request and shared by all handlers of the operator.
         *
         * @throws IllegalStateException if no integration knows the type
         */
        Object get(Class<?> type);

        /** The same with one more service. */
        default <T> ServiceProvider with(Class<T> type, T service) {
            return wanted -> wanted.equals(type) ? service : get(wanted);
        }
    }

    /** One call of one handler. Confined to its thread, but for the immutable views that it gives out. */
    static final class HandlerCallContext implements HandlerContext {
        private final ContextFactory surroundings;
        private final RegisteredHandler handler;
        private final ResourceObject resourceObject;
        private final InvocationCause invocationCause;
        private final int retry;
        private final Instant started;
        private final Instant now;
        private final PatchContent changes;
        private final Patch patch;
        private final SubHandlers subHandlers;
        private @Nullable Steps steps;

        HandlerCallContext(
                ContextFactory surroundings,
                RegisteredHandler handler,
                ResourceObject resourceObject,
                InvocationCause invocationCause,
                ProgressRecord record,
                PatchContent patch,
                SubHandlers subHandlers) {
            this.surroundings = surroundings;
            this.handler = handler;
            this.resourceObject = resourceObject;
            this.invocationCause = invocationCause;
            this.retry = record.retries();
            this.now = surroundings.platform().now();
            this.started = Objects.requireNonNullElse(record.started(), now);
            this.changes = patch;
            this.patch = new ObjectPatch(resourceObject::node, patch);
            this.subHandlers = subHandlers;
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
            return new ObjectConditions(resourceObject::node, resourceObject::observableGeneration, changes, clock());
        }

        @Override
        public <S, T> CustomObject<S, T> customObject(TypeRef<S> spec, TypeRef<T> status) {
            return new TypedObject<>(this, spec, status);
        }

        @Override
        public Diff diff() {
            JsonDiff diff = invocationCause instanceof InvocationCause.Admitting admitting
                    ? admitting.diff()
                    : invocationCause.diff(handler.field());
            return new Diff(diff.items().stream().map(HandlerCallContext::item).toList());
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
                    ? new JsonView(
                            tree, name + " of " + resourceObject.reference().describe())
                    : Json.toJava(value);
        }

        @Override
        public int retry() {
            return retry;
        }

        @Override
        public Instant started() {
            return started;
        }

        @Override
        public Duration runtime() {
            return Duration.between(started, now);
        }

        @Override
        public InstantSource clock() {
            return surroundings.platform()::now;
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

        private static Diff.Item item(JsonDiff.Item item) {
            Diff.Op op = switch (item.operation()) {
                case ADD -> Diff.Op.ADD;
                case CHANGE -> Diff.Op.CHANGE;
                case REMOVE -> Diff.Op.REMOVE;
            };
            return new Diff.Item(op, item.field().keys(), Json.toJava(item.oldValue()), Json.toJava(item.newValue()));
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
    }
}
