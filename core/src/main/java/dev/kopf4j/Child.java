package dev.kopf4j;

import java.util.function.Predicate;

/**
 * A child that an object ought to have, while a handler of {@link OnReconcile} describes it. Confined to the call. Made
 * by the framework; not to be implemented.
 */
public interface Child {
    /**
     * This child is neither created nor changed before the others are ready. With {@link OnReconcile#ordered}, it is
     * deleted before them.
     */
    Child after(Child... others);

    /**
     * When the child is ready, instead of the rule of its kind. The test sees the child as the server has it. A kind
     * that has no state, such as a ConfigMap, is watched by its metadata alone: each change of the child costs a
     * request.
     */
    Child readyWhen(Predicate<? super Body> test);

    /** Takes fields from any other manager, as {@link OnReconcile#force} for this child. */
    Child force();

    /** Takes over an object of that name that somebody else has made, as {@link OnReconcile#adopt} for this child. */
    Child adopt();
}
