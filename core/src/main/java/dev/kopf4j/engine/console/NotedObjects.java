package dev.kopf4j.engine.console;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.tracing.FailureText;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose handlers have not succeeded with their last calls, and those that somebody has paused: what nobody
 * could tell later. Of as many as there is room for, those that have failed last; of the others only that there are
 * more. Thread-safe.
 */
final class NotedObjects implements OperatorTrace {
    private static final int MOST = 5000;
    private static final int MESSAGE_MAX = 300;

    private final Platform platform;
    private final ConcurrentMap<String, Map<String, Trouble>> troubles = new ConcurrentHashMap<>();
    private final Set<String> paused = ConcurrentHashMap.newKeySet();
    private volatile boolean incomplete;

    /** Nothing is noted. */
    NotedObjects(Platform platform) {
        this.platform = platform;
    }

    /**
     * The last call of a handler, which has not succeeded. Immutable.
     *
     * @param attempt which attempt it was, from 1
     * @param message what it has thrown; empty for nothing, and for Secrets
     */
    record Trouble(
            String handler, HandlerKind kind, HandlerCall.Outcome outcome, int attempt, String message, Instant at) {}

    /** The troubles of an object by the handlers; none if the last calls have succeeded. */
    Map<String, Trouble> troubles(String uid) {
        Map<String, Trouble> found = troubles.get(uid);
        return found == null ? Map.of() : found;
    }

    /** True if somebody has paused the object. */
    boolean isPaused(String uid) {
        return paused.contains(uid);
    }

    /** True if there were more than could be noted. */
    boolean isIncomplete() {
        return incomplete;
    }

    @Override
    public boolean hearsOfChildren() {
        return false;
    }

    @Override
    public void happened(OperatorStep step) {
        switch (step) {
            case OperatorStep.CallEnded ended when ended.outcome() != null -> ended(ended, ended.outcome());
            case OperatorStep.CycleDecided decided
            when decided.decision() == OperatorStep.Decision.PAUSED -> paused(uid(decided.object()));
            case OperatorStep.CycleDecided decided
            when decided.decision() == OperatorStep.Decision.HANDLE && !troubles.isEmpty() ->
                keep(uid(decided.object()), decided.handlers());
            case OperatorStep.EventCame came when came.gone() -> forget(uid(came.object()));
            // Its last event has handlers, too, and other calls may still have been under way.
            case OperatorStep.CycleEnded ended when ended.gone() -> forget(uid(ended.object()));
            case OperatorStep.WorkDropped dropped -> forget(uid(dropped.object()));
            case OperatorStep.HandlingPaused handling when handling.paused() -> paused(uid(handling.object()));
            case OperatorStep.HandlingPaused handling -> paused.remove(uid(handling.object()));
            default -> {}
        }
    }

    /** Told at each cycle: after a start, an object may have been paused for long. */
    private void paused(String uid) {
        if (paused.size() < MOST) {
            paused.add(uid);
        } else if (!paused.contains(uid)) {
            incomplete = true;
        }
    }

    private static String uid(ObjectReference object) {
        return object.uid() == null ? "" : object.uid();
    }

    private void ended(OperatorStep.CallEnded ended, HandlerCall.Outcome outcome) {
        HandlerContext context = ended.context();
        if (outcome == HandlerCall.Outcome.SUCCEEDED) {
            if (!troubles.isEmpty()) {
                troubles.computeIfPresent(context.uid(), (_, known) -> without(known, context.handlerId()));
            }
        } else {
            if (troubles.size() >= MOST && !troubles.containsKey(context.uid())) {
                incomplete = true;
                forgetOldest();
            }
            Throwable failure = ended.failure();
            boolean secret = LoggedContent.isSecret(ended.kind(), context);
            Trouble trouble = new Trouble(
                    context.handlerId(),
                    ended.kind(),
                    outcome,
                    context.retry() + 1,
                    failure == null || secret
                            ? ""
                            : TextShortener.middle(FailureText.of(failure, false, true), MESSAGE_MAX),
                    platform.now());
            troubles.compute(context.uid(), (_, known) -> with(known, trouble));
        }
    }

    /** A tenth gives way together. So nothing stays for ever, as what a call says that has outlived its object. */
    private void forgetOldest() {
        Comparator<Map.Entry<String, Map<String, Trouble>>> byAge =
                Comparator.comparing(each -> latest(each.getValue()).at());
        List<String> oldest = troubles.entrySet().stream()
                .map(Map.Entry::copyOf)
                .sorted(byAge)
                .limit(MOST / 10)
                .map(Map.Entry::getKey)
                .toList();
        oldest.forEach(troubles::remove);
    }

    /** Of the troubles of an object the one that has come last. */
    static Trouble latest(Map<String, Trouble> ofObject) {
        return Collections.max(ofObject.values(), Comparator.comparing(Trouble::at));
    }

    private static Map<String, Trouble> with(@Nullable Map<String, Trouble> known, Trouble trouble) {
        Map<String, Trouble> more = known == null ? new HashMap<>() : new HashMap<>(known);
        more.put(trouble.handler(), trouble);
        return Map.copyOf(more);
    }

    private static @Nullable Map<String, Trouble> without(Map<String, Trouble> known, String handler) {
        Map<String, Trouble> fewer = new HashMap<>(known);
        fewer.remove(handler);
        return fewer.isEmpty() ? null : Map.copyOf(fewer);
    }

    /** A change is handled by these: what others have not achieved with an earlier one does not matter any more. */
    private void keep(String uid, List<String> concerned) {
        troubles.computeIfPresent(uid, (_, known) -> {
            Set<String> outdated = new HashSet<>();
            known.forEach((id, trouble) -> {
                if (isOfChange(trouble.kind()) && concerned.stream().noneMatch(each -> isPartOf(id, each))) {
                    outdated.add(id);
                }
            });
            Map<String, Trouble> left = new HashMap<>(known);
            left.keySet().removeAll(outdated);
            return left.isEmpty() ? null : Map.copyOf(left);
        });
    }

    private static boolean isPartOf(String id, String handler) {
        return id.equals(handler) || id.startsWith(handler + "/");
    }

    private static boolean isOfChange(HandlerKind kind) {
        return switch (kind) {
            case CREATE, UPDATE, DELETE, RESUME, FIELD -> true;
            default -> false;
        };
    }

    private void forget(String uid) {
        if (!troubles.isEmpty()) {
            troubles.remove(uid);
        }
        if (!paused.isEmpty()) {
            paused.remove(uid);
        }
    }
}
