package dev.kopf4j.engine.children;

import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.children.ChildWriter.ChildOutcome;
import dev.kopf4j.engine.children.DesiredChildren.DesiredChild;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One comparison of what ought to be with what exists: asks the handlers, brings each child to what was said, deletes
 * what nobody wants any more, and tells the result in the parent's conditions. Confined; used once.
 */
final class ReconcilePass {
    private final ChildrenMemory memory;
    private final ChildWriter writer;
    private final ReconcileCalls calls;
    private final PassOutcomes outcomes;
    private final List<LiveChild> live;
    private final Map<List<String>, List<LiveChild>> liveByName;
    private final Set<String> wanted = new HashSet<>();
    private final Set<String> described = new HashSet<>();
    private int expected;
    private boolean anyFailed;

    ReconcilePass(ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
        this.memory = memory;
        this.outcomes = new PassOutcomes(environment, parent, memory, patch);
        this.writer = new ChildWriter(environment, parent, memory);
        this.calls = new ReconcileCalls(environment, parent, memory, patch);
        this.live =
                environment.index().children(String.valueOf(parent.reference().uid()));
        this.liveByName = LiveChild.byName(live);
    }

    /**
     * Compares.
     *
     * @param handlers those that concern the parent; at least one
     * @param registered the ids of all handlers that could
     */
    void run(List<RegisteredHandler> handlers, Set<String> registered) throws InterruptedException {
        for (RegisteredHandler handler : handlers) {
            switch (calls.ask(handler)) {
                case ReconcileCalls.Answer.Described(List<DesiredChild> children) -> {
                    if (children.stream().anyMatch(writer::hasNoPlace)) {
                        anyFailed = true;
                    } else {
                        described.add(handler.id());
                    }
                    expected += children.size();
                    writer.expect(expected);
                    memory.wants(handler.id(), titles(children));
                    writeAll(handler, children);
                }
                case ReconcileCalls.Answer.Failed(String message, Deadline retryAt) -> {
                    anyFailed = true;
                    outcomes.addFailed(handler, message, retryAt);
                }
            }
        }
        prune(registered);
        if (!anyFailed) {
            outcomes.forgetWhatIsOver();
        }
        memory.retryAt(outcomes.retryAt());
        outcomes.tell(handlers);
        memory.rest(outcomes.allReady());
    }

    private static Set<String> titles(List<DesiredChild> children) {
        return children.stream().map(each -> each.configuration().title()).collect(Collectors.toSet());
    }

    private void writeAll(RegisteredHandler handler, List<DesiredChild> children) throws InterruptedException {
        Set<DesiredChild> unready = new HashSet<>();
        for (DesiredChild child : children) {
            List<LiveChild> known = child.configuration().among(liveByName);
            known.forEach(each -> wanted.add(each.uid()));
            ChildOutcome outcome = waits(child, unready)
                    ? ChildOutcome.of(child.configuration().title(), "it waits for " + names(child, unready))
                    : writer.writeIfDifferent(handler, child, known.isEmpty() ? null : known.getFirst());
            if (!outcome.isReady()) {
                unready.add(child);
            }
            outcomes.add(handler.id(), outcome);
        }
    }

    private static boolean waits(DesiredChild child, Set<DesiredChild> unready) {
        return child.before().stream().anyMatch(unready::contains);
    }

    private static String names(DesiredChild child, Set<DesiredChild> unready) {
        return child.before().stream()
                .filter(unready::contains)
                .map(DesiredChild::toString)
                .collect(Collectors.joining(", "));
    }

    /** Children of handlers that have failed, are not concerned, or do not say where a child is to be, stay. */
    private void prune(Set<String> registered) throws InterruptedException {
        for (LiveChild child : live) {
            String handler = child.seen().applied().handler();
            boolean ownerless = !registered.contains(handler) && !anyFailed;
            if (child.isMade() && !wanted.contains(child.uid()) && (described.contains(handler) || ownerless)) {
                ChildOutcome outcome = writer.delete(child);
                if (outcome.hasFailed() || !outcome.retryAt().isNever()) {
                    outcomes.add(handler, outcome);
                }
            }
        }
    }

    /** How the children are that a pass has looked at, and whom that is told. Confined to the pass. */
    static final class PassOutcomes {
        private final ChildrenEnvironment environment;
        private final ResourceObject parent;
        private final ChildrenMemory memory;
        private final PatchContent patch;
        private final Map<String, List<ChildOutcome>> byHandler = new HashMap<>();
        private final List<ChildOutcome> all = new ArrayList<>();

        PassOutcomes(
                ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
            this.environment = environment;
            this.parent = parent;
            this.memory = memory;
            this.patch = patch;
        }

        /** One child, and the id of the handler that wants it, or has wanted it. */
        void add(String handler, ChildOutcome outcome) {
            byHandler.computeIfAbsent(handler, id -> new ArrayList<>()).add(outcome);
            all.add(outcome);
        }

        /** A handler could not say which children there ought to be. */
        void addFailed(RegisteredHandler handler, String message, Deadline retryAt) {
            add(handler.id(), new ChildOutcome(handler.toString(), message, ChildOutcome.RECONCILE_FAILED, retryAt));
        }

        /** When the first of them has to be looked at again; never for none. */
        Deadline retryAt() {
            return all.stream().map(ChildOutcome::retryAt).reduce(Deadline.NEVER, Deadline::orEarlier);
        }

        boolean allReady() {
            return all.stream().allMatch(ChildOutcome::isReady);
        }

        /** All children were looked at: what was refused of one that is gone, or well by now, counts no more. */
        void forgetWhatIsOver() {
            memory.keepWriteFailures(all.stream()
                    .filter(outcome -> !outcome.retryAt().isNever())
                    .map(ChildOutcome::title)
                    .collect(Collectors.toSet()));
        }

        /** True if one of its children was looked at. */
        boolean concern(RegisteredHandler handler) {
            return byHandler.containsKey(handler.id());
        }

        /** True if something has failed, or had when it was told last. */
        boolean isTrouble() {
            return anyFailed() || memory.hasReported();
        }

        private boolean anyFailed() {
            return all.stream().anyMatch(ChildOutcome::hasFailed);
        }

        /** By the log and an event what has failed, and is new; by those handlers' conditions, and the trace, all. */
        void tell(List<RegisteredHandler> handlers) {
            all.stream().filter(ChildOutcome::hasFailed).forEach(this::report);
            if (!anyFailed()) {
                memory.forgetReports();
            }
            for (RegisteredHandler handler : handlers) {
                String type = handler.options().condition();
                if (!type.isEmpty()) {
                    new ChildrenCondition(environment.contexts().platform().now(), type)
                            .write(parent, byHandler.getOrDefault(handler.id(), List.of()), memory, patch);
                }
            }
            Map<String, String> troubles = new LinkedHashMap<>();
            all.stream()
                    .filter(outcome -> !outcome.isReady())
                    .forEach(outcome -> troubles.put(outcome.title(), String.valueOf(outcome.trouble())));
            Set<String> failed = all.stream()
                    .filter(outcome -> outcome.hasFailed() && !outcome.reason().equals(ChildOutcome.RECONCILE_FAILED))
                    .map(ChildOutcome::title)
                    .collect(Collectors.toSet());
            environment
                    .runner()
                    .trace()
                    .happened(
                            new OperatorStep.ChildrenCompared(parent.resource(), parent.reference(), troubles, failed));
        }

        private void report(ChildOutcome outcome) {
            String message = outcome.title() + ": " + outcome.trouble();
            if (memory.reports(outcome.title(), message) && !outcome.reason().equals(ChildOutcome.RECONCILE_FAILED)) {
                parent.localLogger().warn("{}", message);
                environment.events().post(ObjectEvent.warning(parent.reference(), outcome.reason(), message));
            }
        }
    }

    /**
     * The condition of a parent that tells how its children are. Immutable.
     *
     * @param now the time of a transition
     * @param type the type of the condition
     * @see <a
     *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
     *     conventions: conditions</a>
     */
    private record ChildrenCondition(Instant now, String type) {
        private static final int SHOWN_MAX = 5;
        private static final int MESSAGE_MAX = 1000;

        /** Adds the condition to the patch, unless the parent has it as it should be. */
        void write(ResourceObject parent, List<ChildOutcome> outcomes, ChildrenMemory memory, PatchContent patch) {
            ConditionChange change = change(outcomes, parent.observableGeneration());
            long digest = Digests.of(Objects.requireNonNull(change.said()));
            boolean present = Readiness.find(parent.node(), type) != null;
            if (!present && memory.hasWritten(digest)) {
                // The definition of the parent's kind drops it: nothing is gained by writing it again and again.
                return;
            }
            boolean written = patch.say(change, parent.node());
            memory.written(written && !present ? digest : 0);
        }

        private ConditionChange change(List<ChildOutcome> outcomes, @Nullable JsonNode generation) {
            List<ChildOutcome> unready =
                    outcomes.stream().filter(outcome -> !outcome.isReady()).toList();
            ChildOutcome first = unready.stream()
                    .filter(ChildOutcome::hasFailed)
                    .findFirst()
                    .orElse(unready.isEmpty() ? null : unready.getFirst());
            return first == null
                    ? ConditionChange.of(type, "True", "ChildrenReady", "", generation, now)
                    : ConditionChange.of(type, "False", first.reason(), message(unready), generation, now);
        }

        private static String message(List<ChildOutcome> unready) {
            String shown = unready.stream()
                    .limit(SHOWN_MAX)
                    .map(outcome -> outcome.title() + ": " + outcome.trouble())
                    .collect(Collectors.joining("; "));
            int more = unready.size() - SHOWN_MAX;
            String all = more > 0 ? shown + "; and " + more + " more" : shown;
            return all.length() <= MESSAGE_MAX ? all : all.substring(0, MESSAGE_MAX) + "...";
        }
    }

    /** Asks handlers which children an object ought to have. Confined to one pass. */
    record ReconcileCalls(
            ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {

        /** What a handler has said. */
        sealed interface Answer {
            /** These, those first that others are after. */
            record Described(List<DesiredChild> children) implements Answer {}

            /** It has failed: nothing is known, and it is asked again in that moment, or never. */
            record Failed(String message, Deadline retryAt) implements Answer {}
        }

        /** Asks a handler, unless it has failed and has to wait. */
        Answer ask(RegisteredHandler handler) throws InterruptedException {
            HandlerCalls calls = environment.calls();
            ProgressRecord before = memory.failure(handler.id());
            if (before != null && !before.isDue(calls.platform().now())) {
                return failed(before);
            }
            if (calls.leftBehind().has(parent, handler)) {
                return new Answer.Failed(
                        "an earlier call goes on although it was interrupted",
                        calls.platform().after(calls.runner().lookAgainAfter()));
            }
            DesiredChildren children = new DesiredChildren(
                    parent.node(),
                    handler.id(),
                    environment.fieldManager(),
                    () -> environment.contexts().childrenOf(parent));
            PatchContent own = PatchContent.after(patch);
            HandlerAttempt attempt = new HandlerAttempt(
                    calls,
                    collecting(handler, children),
                    parent,
                    new InvocationCause.Reconciling(parent.node(), children),
                    before == null ? calls.freshRecord() : before,
                    own);
            RetryDecision refusal = attempt.refusal();
            if (refusal != null) {
                return failed(handler, attempt, refusal);
            }
            attempt.begin();
            CallEnd end = attempt.call();
            patch.add(handler.id(), own.handOver());
            if (!(end instanceof CallEnd.Delivered)) {
                // It has failed, or its exception is ignored and nothing was said.
                return failed(handler, attempt, attempt.decide(end));
            }
            try {
                List<DesiredChild> described = children.inOrder();
                memory.handlerSucceeded(handler.id());
                return new Answer.Described(described);
            } catch (IllegalArgumentException e) {
                return failed(handler, attempt, attempt.threw(e));
            }
        }

        /** What it returns is read in its own task, as its getters and iterators are the user's code, too. */
        private static RegisteredHandler collecting(RegisteredHandler handler, DesiredChildren children) {
            return new RegisteredHandler(handler.declaration(), handler.id(), handler.function(), called -> {
                children.addAll(handler.invoker().handle(called));
                return null;
            });
        }

        private Answer failed(RegisteredHandler handler, HandlerAttempt attempt, RetryDecision decision) {
            ProgressRecord after = attempt.after(decision);
            memory.failures().put(handler.id(), after);
            return failed(after);
        }

        private Answer failed(ProgressRecord record) {
            Platform platform = environment.platform();
            Deadline again = record.isFinished() ? Deadline.NEVER : platform.after(record.delay(platform.now()));
            return new Answer.Failed(Objects.requireNonNullElse(record.message(), ""), again);
        }
    }
}
