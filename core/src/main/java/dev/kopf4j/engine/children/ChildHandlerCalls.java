package dev.kopf4j.engine.children;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.Outcome;
import dev.kopf4j.engine.call.ProgressTransitions;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.children.live.ChildNotice;
import dev.kopf4j.engine.children.live.ParentKeys;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells handlers of a parent what has happened to its children. Confined to one cycle of the parent. */
final class ChildHandlerCalls {
    private final ChildrenEnvironment environment;
    private final Platform platform;
    private final ResourceObject parent;
    private final ChildrenMemory memory;
    private final PatchContent patch;
    private final List<RegisteredHandler> handlers;

    ChildHandlerCalls(
            ChildrenEnvironment environment,
            ResourceObject parent,
            ChildrenMemory memory,
            PatchContent patch,
            List<RegisteredHandler> handlers) {
        this.environment = environment;
        this.platform = environment.calls().platform();
        this.parent = parent;
        this.memory = memory;
        this.patch = patch;
        this.handlers = handlers.stream()
                .filter(handler -> handler.kind() == HandlerKind.CHILD)
                .toList();
    }

    /** Tells what is new, and what has failed before; returns when the next attempt is due, never for none. */
    Deadline tell() throws InterruptedException {
        if (handlers.isEmpty()) {
            return Deadline.NEVER;
        }
        for (String key : memory.keys()) {
            for (ChildNotice notice : environment.index().notices(key)) {
                tellNotice(key, notice);
            }
        }
        Deadline next = Deadline.NEVER;
        if (memory.hasTellings()) {
            for (ChildTelling telling : List.copyOf(memory.tellings().values())) {
                next = next.orEarlier(tellAgain(telling));
            }
        }
        return next;
    }

    private void tellNotice(String key, ChildNotice notice) throws InterruptedException {
        CompactBody newest = notice.newest();
        if (newest == null) {
            return;
        }
        ChildTelling telling =
                memory.tellings().computeIfAbsent(notice.uid(), uid -> new ChildTelling(key, notice, newest));
        telling.newer(notice, newest);
        Instant now = platform.now();
        for (RegisteredHandler handler : handlers) {
            if (handler.declaration().concernsChildren(notice.resource())
                    && keyOf(handler).equals(key)) {
                ChildTelling.Pending before = telling.pending().get(handler.id());
                telling.pending()
                        .put(
                                handler.id(),
                                before == null
                                        ? new ChildTelling.Pending(
                                                ProgressTransitions.fresh(now, null), notice.reason(), notice.told())
                                        : before.and(notice.reason()));
            }
        }
        environment.index().told(key, notice, newest);
    }

    private String keyOf(RegisteredHandler handler) {
        return handler.options().isByOwner() ? memory.keys().getFirst() : ParentKeys.named(handler, parent.reference());
    }

    private Deadline tellAgain(ChildTelling telling) throws InterruptedException {
        Deadline next = Deadline.NEVER;
        for (RegisteredHandler handler : handlers) {
            ChildTelling.Pending pending = telling.pending().get(handler.id());
            if (pending != null) {
                ChildTelling.Pending after = isDue(pending) ? call(handler, telling, pending) : pending;
                if (after == null) {
                    telling.pending().remove(handler.id());
                } else {
                    telling.pending().put(handler.id(), after);
                    next = next.orEarlier(dueAt(after));
                }
            }
        }
        if (telling.pending().isEmpty()) {
            memory.tellings().remove(telling.notice().uid());
        }
        return next;
    }

    private boolean isDue(ChildTelling.Pending pending) {
        Instant delayed = pending.record().delayed();
        return delayed == null || !delayed.isAfter(platform.now());
    }

    private Deadline dueAt(ChildTelling.Pending pending) {
        Instant delayed = pending.record().delayed();
        return delayed == null
                ? platform.after(Duration.ZERO)
                : platform.after(Duration.between(platform.now(), delayed));
    }

    /** Null if nothing has to be told. */
    private ChildTelling.@Nullable Pending call(
            RegisteredHandler handler, ChildTelling telling, ChildTelling.Pending pending) throws InterruptedException {
        CompactBody known = pending.known();
        InvocationCause.OfChild cause = new InvocationCause.OfChild(
                pending.reason(),
                known == null ? null : known.parse(),
                telling.newest().parse());
        if (!concerns(handler, cause)) {
            return null;
        }
        RetryDecision decision = environment.calls().attempt(handler, parent, cause, pending.record(), patch);
        if (!(decision.outcome() instanceof Outcome.Retry)) {
            return null;
        }
        ProgressRecord after = ProgressTransitions.after(pending.record(), decision.outcome(), platform.now());
        return new ChildTelling.Pending(after, pending.reason(), known);
    }

    private boolean concerns(RegisteredHandler handler, InvocationCause.OfChild cause) {
        ResourceObject child = new ResourceObject(
                parent.resource(), parent.reference(), new BodyView(cause.child()), parent.logger(), parent.memo());
        boolean changed = cause.reason() != Reason.UPDATE
                || handler.options().field().isEmpty()
                || !cause.diff(handler.field()).isEmpty();
        return changed && HandlerSelection.concernsChild(handler, child, parent, cause, environment.contexts());
    }
}
