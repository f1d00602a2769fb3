package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the handler whose {@link HandlerOutcome} a parameter gets, as {@link HandlerContext#outcome} gives it when the
 * call begins.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface OutcomeOf {
    /** The id of the handler, with that of its parent in front of a sub-handler's: {@code "createFn/item-1"}. */
    String value();
}
