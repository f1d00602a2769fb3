package dev.kopf4j.engine.tracing;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Tracing.Scope;

/**
 * Hears of each step of an operator's work: what the recorder, metrics, tests and views of a running operator see of
 * it. Whoever wants to hear only some steps looks at the type of each.
 *
 * <p>Each step is told by the thread that makes it, at once: the begin and the end of a cycle, and all that the
 * framework does in between, by the object's worker; a request by the thread that waits for its answer. So many threads
 * tell at a time, some of them under a lock: it must be thread-safe and quick, must not wait, and must not throw.
 */
@FunctionalInterface
public interface OperatorTrace {
    /** Ignores everything. */
    OperatorTrace NONE = new OperatorTrace() {
        @Override
        public void happened(OperatorStep step) {
            // Nobody is interested.
        }

        @Override
        public boolean hearsOfChildren() {
            return false;
        }
    };

    /**
     * A step was made. What a step refers to, such as a body or a difference, must not be changed, nor kept for long.
     */
    void happened(OperatorStep step);

    /**
     * True to hear {@link OperatorStep.EventCame} also of objects that are known as children only, which costs memory
     * for each.
     */
    default boolean hearsOfChildren() {
        return true;
    }

    /**
     * The thread, which is the one of a handler's call, begins to run the handler, and ends to do so when the scope is
     * closed. Told after {@link OperatorStep.CallBegan}, with the same context.
     */
    default Scope entered(HandlerContext context) {
        return Scope.NONE;
    }

    /** Tells two. */
    default OperatorTrace and(OperatorTrace other) {
        if (equals(NONE)) {
            return other;
        }
        return other.equals(NONE) ? this : new Both(this, other);
    }

    /**
     * Tells two.
     *
     * @param first is told first
     */
    record Both(OperatorTrace first, OperatorTrace second) implements OperatorTrace {
        @Override
        public void happened(OperatorStep step) {
            first.happened(step);
            second.happened(step);
        }

        @Override
        public boolean hearsOfChildren() {
            return first.hearsOfChildren() || second.hearsOfChildren();
        }

        @Override
        public Scope entered(HandlerContext context) {
            Scope outer = first.entered(context);
            Scope inner = second.entered(context);
            if (inner.equals(Scope.NONE)) {
                return outer;
            }
            return outer.equals(Scope.NONE)
                    ? inner
                    : () -> {
                        inner.close();
                        outer.close();
                    };
        }
    }
}
