package dev.kopf4j.cli.plan;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notes the calls of an operator, and whether it is at rest: nothing is processed, waits to be processed, or is due in
 * time. Confined to the simulation.
 */
final class RestWatch implements OperatorTrace {
    private final Set<String> busy = new HashSet<>();
    private final Map<String, Deadline> due = new HashMap<>();
    private final Map<HandlerContext, Call> running = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Map<String, Trouble>> troublesOfChildren = new LinkedHashMap<>();
    private long changes;

    /**
     * A call that has begun.
     *
     * @param place of which object
     * @param handler the id of the handler
     * @param kind what it is
     * @param reason what for, in lower case
     * @param failure why it has failed, in a line; null if it has not, or has not ended
     */
    record Call(
            Place place,
            String handler,
            HandlerKind kind,
            String reason,
            @Nullable String failure) {}

    /**
     * Why a child is not ready.
     *
     * @param why in words
     * @param failed true if it could not be written
     */
    record Trouble(String why, boolean failed) {}

    private void change(OperatorStep.OfObject step, Consumer<String> change) {
        changes++;
        Resource resource = step.resource();
        ObjectReference object = step.object();
        String key = resource + " " + Objects.requireNonNullElse(object.uid(), object.toString());
        names.putIfAbsent(key, resource.plural() + " " + object);
        change.accept(key);
    }

    @Override
    public void happened(OperatorStep step) {
        switch (step) {
            case OperatorStep.EventCame came ->
                change(came, key -> {
                    if (came.gone()) {
                        due.remove(key);
                    }
                    if (came.waits()) {
                        busy.add(key);
                        due.remove(key);
                    }
                });
            case OperatorStep.WokenUp woken ->
                change(woken, key -> {
                    busy.add(key);
                    due.remove(key);
                });
            case OperatorStep.CycleEnded ended ->
                change(ended, key -> {
                    if (ended.next().isNever()) {
                        due.remove(key);
                    } else {
                        due.put(key, ended.next());
                    }
                });
            case OperatorStep.WorkDropped dropped ->
                change(dropped, key -> {
                    due.remove(key);
                    busy.remove(key);
                });
            case OperatorStep.WorkerLeft left -> change(left, busy::remove);
            case OperatorStep.CallBegan(HandlerKind kind, HandlerContext context) -> callBegan(kind, context);
            case OperatorStep.CallEnded ended
            when ended.outcome() != null -> callEnded(ended.context(), ended.failure());
            case OperatorStep.ChildrenCompared compared -> {
                changes++;
                Map<String, Trouble> troubles = new LinkedHashMap<>();
                compared.troubles()
                        .forEach((child, why) -> troubles.put(
                                child, new Trouble(why, compared.failed().contains(child))));
                troublesOfChildren.put(
                        Objects.requireNonNullElse(compared.object().uid(), ""), troubles);
            }
            default -> {}
        }
    }

    private void callBegan(HandlerKind kind, HandlerContext context) {
        changes++;
        Resource resource = context.resource();
        Place place = new Place(
                resource.group(), resource.plural(), context.namespace().orElse(""), context.name());
        Call call = new Call(
                place, context.handlerId(), kind, context.reason().name().toLowerCase(Locale.ROOT), null);
        running.put(context, call);
        calls.add(call);
    }

    private void callEnded(HandlerContext context, @Nullable Throwable failure) {
        changes++;
        Call call = running.remove(context);
        if (call != null && failure != null) {
            int at = calls.lastIndexOf(call);
            String why = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            String first = why.lines().findFirst().orElse("").strip();
            calls.set(at, new Call(call.place(), call.handler(), call.kind(), call.reason(), first));
        }
    }

    /**
     * Why children are not ready, or were not written, by their kinds and names, by the uid of their parent; as they
     * were compared last.
     */
    Map<String, Map<String, Trouble>> troublesOfChildren() {
        return Map.copyOf(troublesOfChildren);
    }

    /** The calls in their order. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Grows with all that the operator hears and does. */
    long changes() {
        return changes;
    }

    /** True if nothing is processed, and nothing is due before the deadline. */
    boolean isAtRest(Deadline until) {
        return busy.isEmpty() && due.values().stream().noneMatch(each -> each.compareTo(until) < 0);
    }

    /** What is not done: objects at work, and objects that wait. */
    List<String> pending() {
        Map<String, String> pending = new TreeMap<>();
        busy.forEach(key -> pending.put(Objects.requireNonNullElse(names.get(key), key), "is being handled"));
        due.keySet().forEach(key -> pending.put(Objects.requireNonNullElse(names.get(key), key), "waits for a retry"));
        return pending.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .toList();
    }
}
