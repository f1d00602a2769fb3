package dev.kopf4j.engine.registration;

import dev.kopf4j.ActivityHandler;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.handling.declaration.ActivityDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.rbac.DeclaredRule;
import java.util.List;

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
     * @param declaration what was declared of it
     * @param handler the function
     */
    record Functional(HandlerDeclaration declaration, Handler handler) implements Registration {}

    /**
     * Functions that convert objects.
     *
     * @param functions those of one pair of versions
     */
    record Converting(List<ConversionFunction> functions) implements Registration {}

    /**
     * A right that handlers need for what they do by themselves.
     *
     * @param rule the right
     */
    record Entitled(DeclaredRule rule) implements Registration {}

    /**
     * A function that takes part in an activity.
     *
     * @param declaration what was declared of it
     * @param handler the function
     */
    record Active(ActivityDeclaration declaration, ActivityHandler handler) implements Registration {}
}
