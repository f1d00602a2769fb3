package dev.kopf4j.engine.registration;

import dev.kopf4j.ActivityDefinition;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDefinition;
import dev.kopf4j.OperatorBuilder;

/** One entry of an {@link OperatorBuilder}, in the order they were made. Immutable. */
public sealed interface Registration {
    /**
     * Annotated handlers.
     *
     * @param beanOrClass an instance or a class
     */
    record Annotated(Object beanOrClass) implements Registration {}

    /**
     * A function.
     *
     * @param definition what was declared of it
     * @param handler the function
     */
    record Functional(HandlerDefinition definition, Handler handler) implements Registration {}

    /**
     * A function that takes part in an activity.
     *
     * @param definition what was declared of it
     * @param handler the function
     */
    record Active(ActivityDefinition definition, ActivityHandler handler) implements Registration {}
}
