package dev.kopf4j.engine.children;

import dev.kopf4j.engine.call.CallEnd;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ProgressTransitions;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.children.desired.DesiredChild;
import dev.kopf4j.engine.children.desired.DesiredChildren;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Asks handlers which children an object ought to have. Confined to one pass. */
final class ReconcileCalls {
    private final ChildrenEnvironment environment;
    private final ResourceObject parent;
    private final ChildrenMemory memory;
    private final PatchContent patch;

    ReconcileCalls(ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
        this.environment = environment;
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
        HandlerCalls calls = environment.calls();
        ProgressRecord before = memory.failure(handler.id());
        if (before != null
                && !ProgressTransitions.isDue(before, calls.platform().now())) {
            return failed(before);
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
        patch.add(own.handOver());
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
        decision.log(parent.logger());
        ProgressRecord after = attempt.after(decision);
        memory.failures().put(handler.id(), after);
        return failed(after);
    }

    private Answer failed(ProgressRecord record) {
        Platform platform = environment.platform();
        Instant delayed = record.delayed();
        boolean never = ProgressTransitions.isFinished(record) || delayed == null;
        Deadline again = never ? Deadline.NEVER : platform.after(Duration.between(platform.now(), delayed));
        return new Answer.Failed(Objects.requireNonNullElse(record.message(), ""), again);
    }
}
