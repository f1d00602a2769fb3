package dev.kopf4j.engine.children;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.call.CallEnd;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.NoSubHandlers;
import dev.kopf4j.engine.call.Outcome;
import dev.kopf4j.engine.call.ProgressTransitions;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryDecision;
import dev.kopf4j.engine.call.RetryPolicy;
import dev.kopf4j.engine.call.WorkDuringCall.NoWorkDuringCall;
import dev.kopf4j.engine.children.desired.DesiredChild;
import dev.kopf4j.engine.children.desired.DesiredChildren;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks handlers which children an object ought to have. Confined to one pass. */
final class ReconcileCalls {
    private final ChildrenEnvironment environment;
    private final HandlerRunner runner;
    private final ResourceObject parent;
    private final ChildrenMemory memory;
    private final PatchContent patch;

    ReconcileCalls(ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
        this.environment = environment;
        this.runner = environment.runner();
        this.parent = parent;
        this.memory = memory;
        this.patch = patch;
    }

    /** What a handler has said. */
    sealed interface Answer {
        /** These, those first that others are after. */
        record Described(List<DesiredChild> children) implements Answer {}

        /** It has failed: nothing is known, and it is asked again in that moment, or never. */
        record Failed(String message, Deadline retryAt) implements Answer {}
    }

    /** Asks a handler, unless it has failed and has to wait. */
    Answer ask(RegisteredHandler handler) throws InterruptedException {
        ProgressRecord before = memory.failure(handler.id());
        Instant now = runner.platform().now();
        if (before != null && isSleeping(before, now)) {
            return failed(before, now);
        }
        ProgressRecord record = before == null ? ProgressTransitions.fresh(now, null) : before;
        RetryPolicy policy = runner.retryPolicy(handler, record);
        RetryDecision refusal = policy.checkLimits();
        return refusal == null ? call(handler, record, policy) : ended(handler, record, refusal, null);
    }

    private static boolean isSleeping(ProgressRecord record, Instant now) {
        Instant delayed = record.delayed();
        return ProgressTransitions.isFinished(record) || (delayed != null && delayed.isAfter(now));
    }

    private Answer failed(ProgressRecord record, Instant now) {
        Instant delayed = record.delayed();
        boolean never = ProgressTransitions.isFinished(record) || delayed == null;
        Deadline again = never ? Deadline.NEVER : runner.platform().after(Duration.between(now, delayed));
        return new Answer.Failed(Objects.requireNonNullElse(record.message(), ""), again);
    }

    private Answer call(RegisteredHandler handler, ProgressRecord record, RetryPolicy policy)
            throws InterruptedException {
        parent.logger().debug("{} is invoked.", handler);
        DesiredChildren children = new DesiredChildren(
                parent.node(),
                handler.id(),
                environment.fieldManager(),
                () -> environment.contexts().childrenOf(parent));
        PatchContent own = PatchContent.after(patch);
        HandlerContext context = environment
                .contexts()
                .forCall(
                        handler,
                        parent,
                        new InvocationCause.Reconciling(parent.node(), children),
                        record,
                        own,
                        NoSubHandlers.INSTANCE);
        // What it returns is read in its own task, as its getters and iterators are the user's code, too.
        RegisteredHandler collecting =
                new RegisteredHandler(handler.declaration(), handler.id(), handler.function(), called -> {
                    children.addAll(handler.handlerInvoker().invoke(called));
                    return null;
                });
        CallEnd end = runner.run(
                collecting, context, runner.timeout(policy), runner.platform().monitor(), NoWorkDuringCall.INSTANCE);
        patch.add(own.handOver());
        RetryDecision decision = end.decide(runner.retryPolicy(handler, record));
        if (!(decision.outcome() instanceof Outcome.Succeeded)) {
            return ended(handler, record, decision, null);
        }
        if (!(end instanceof CallEnd.Delivered)) {
            // An ignored exception: nothing was said.
            return ended(handler, record, decision, null);
        }
        try {
            return ended(handler, record, decision, children.inOrder());
        } catch (IllegalArgumentException e) {
            return ended(handler, record, policy.threw(e), null);
        }
    }

    private Answer ended(
            RegisteredHandler handler,
            ProgressRecord record,
            RetryDecision decision,
            @Nullable List<DesiredChild> children) {
        if (children != null) {
            memory.handlerSucceeded(handler.id());
            return new Answer.Described(children);
        }
        decision.log(parent.logger());
        ProgressRecord after = ProgressTransitions.after(
                record, decision.outcome(), runner.platform().now());
        memory.failures().put(handler.id(), after);
        return failed(after, runner.platform().now());
    }
}
