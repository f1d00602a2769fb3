package dev.kopf4j.crd;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule in the Common Expression Language that a value must keep ({@code x-kubernetes-validations}).
 *
 * @see <a
 *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules">Validation
 *     rules</a>
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /** The expression, such as {@code "self.min <= self.max"}; {@code oldSelf} is the value before a change. */
    String value();

    /** What to tell if it is not kept; empty for the expression itself. */
    String message() default "";

    /** An expression that makes the message; wins over {@link #message}. */
    String messageExpression() default "";

    /** The reason in the answer, such as {@code FieldValueForbidden}; empty for {@code FieldValueInvalid}. */
    String reason() default "";

    /** The field that the answer names, below the value, such as {@code ".min"}; empty for the value itself. */
    String fieldPath() default "";

    /** True if a rule with {@code oldSelf} is also for values that did not exist before. */
    boolean optionalOldSelf() default false;
}
