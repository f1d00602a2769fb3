package dev.kopf4j.engine.handling.context;

import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Index;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.cause.EventType;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.JsonView;
import dev.kopf4j.object.ObjectPatch;
import dev.kopf4j.object.PatchContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One call of one handler. Confined to its thread, but for the immutable views that it gives out. */
final class CallContext implements HandlerContext {
    private final RegisteredHandler handler;
    private final Subject subject;
    private final Occasion occasion;
    private final CallTiming timing;
    private final Patch patch;
    private final SubHandlers subHandlers;
    private final Services services;
    private final Indices indices;

    CallContext(
            RegisteredHandler handler,
            Subject subject,
            Occasion occasion,
            CallTiming timing,
            PatchContent patch,
            SubHandlers subHandlers,
            Services services,
            Indices indices) {
        this.handler = handler;
        this.subject = subject;
        this.occasion = occasion;
        this.timing = timing;
        this.patch = new ObjectPatch(patch);
        this.subHandlers = subHandlers;
        this.services = services;
        this.indices = indices;
    }

    @Override
    public String handlerId() {
        return handler.id();
    }

    @Override
    public Resource resource() {
        return subject.resource();
    }

    @Override
    public Reason reason() {
        return occasion.reason();
    }

    @Override
    public Optional<String> eventType() {
        return occasion instanceof Occasion.Noticed(var event) && event.type() != EventType.LISTED
                ? Optional.of(event.type().name())
                : Optional.empty();
    }

    @Override
    public boolean isSynthetic() {
        return occasion instanceof Occasion.Noticed(var event) && event.synthetic();
    }

    @Override
    public Body body() {
        return subject.body();
    }

    @Override
    public String name() {
        return textOf(subject.reference().name());
    }

    @Override
    public @Nullable String namespace() {
        return subject.reference().namespace();
    }

    @Override
    public String uid() {
        return textOf(subject.reference().uid());
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
    public Diff diff() {
        return PublicDiff.of(occasion.diff(handler.field()));
    }

    @Override
    public @Nullable Object old() {
        return shown(occasion.oldValue(handler.field()), "old");
    }

    @Override
    public @Nullable Object newValue() {
        return !occasion.isOfChange() ? null : shown(occasion.newValue(handler.field()), "newValue");
    }

    private @Nullable Object shown(@Nullable JsonNode value, String name) {
        return value instanceof ObjectNode tree
                ? new JsonView(tree, name + " of " + subject.reference().describe())
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
    public @Nullable Object param() {
        return handler.definition().param();
    }

    @Override
    public <M> M memo(Class<M> type) {
        return Memos.cast(subject.memo().get(), type);
    }

    @Override
    @SuppressWarnings("unchecked") // as is said to the user
    public <K extends @Nullable Object, V extends @Nullable Object> Index<K, V> index(String id) {
        return (Index<K, V>) indices.get(id);
    }

    @Override
    public Stopped stopped() {
        if (occasion instanceof Occasion.Accompanied(var _, Stopped stopped) && stopped != null) {
            return stopped;
        }
        throw new IllegalStateException(
                handler + " is not asked to stop: only running daemons and timers are; use @OnDaemon or @OnTimer");
    }

    @Override
    public SubHandlers subHandlers() {
        return subHandlers;
    }

    @Override
    public Logger logger() {
        return subject.logger();
    }

    @Override
    public <T> T service(Class<T> type) {
        return type.cast(services.get(type));
    }
}
