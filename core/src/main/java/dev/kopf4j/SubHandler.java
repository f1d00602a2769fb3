package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a sub-handler, which handlers of the same class declare by {@link SubHandlers#addMethod} while they
 * run. It takes what handlers of changes take; {@code param} is what was given with the declaration.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SubHandler {
    /** The id below that of the parent, where the declaration gives none; the method's name by default. */
    String id() default "";

    /** Which objects, by labels, as for {@link OnUpdate#labels}. */
    String[] labels() default {};

    /** Which objects, by the values of labels, as for {@link OnUpdate#labelWhen}. */
    String[] labelWhen() default {};

    /** Which objects, by annotations, as for {@link OnUpdate#annotations}. */
    String[] annotations() default {};

    /** Which objects, by the values of annotations, as for {@link OnUpdate#annotationWhen}. */
    String[] annotationWhen() default {};

    /**
     * The names of methods of the same class that take injectable parameters and return a boolean; called after all
     * other filters. Several must all hold.
     */
    String[] when() default {};

    /** The field that matters, below that of the parent if it has one: dotted, or keys one below the other. */
    String[] field() default {};

    /** The value of the field, before or after the change, as for {@link OnUpdate#fieldValue}. */
    String fieldValue() default Filter.ANYTHING;

    /** The value of the field as JSON, for values other than text. */
    String fieldValueJson() default "";

    /** The name of a method of the same class that takes the value first and returns a boolean. */
    String fieldValueWhen() default "";

    /** The value of the field before the change, below handlers of updates and fields. */
    String oldValue() default Filter.ANYTHING;

    /** The old value as JSON, for values other than text. */
    String oldValueJson() default "";

    /** The name of a method of the same class that takes the old value first and returns a boolean. */
    String oldValueWhen() default "";

    /** The value of the field after the change, below handlers of updates and fields. */
    String newValue() default Filter.ANYTHING;

    /** The new value as JSON, for values other than text. */
    String newValueJson() default "";

    /** The name of a method of the same class that takes the new value first and returns a boolean. */
    String newValueWhen() default "";

    /** What an arbitrary exception means. */
    ErrorsMode errors() default ErrorsMode.TEMPORARY;

    /** How long the sub-handler may take over all its attempts, such as {@code "10m"}; unlimited by default. */
    String timeout() default "";

    /** How many attempts there are in all; unlimited by default. */
    int retries() default -1;

    /** The pause after an arbitrary exception, such as {@code "30s"}; the setting by default. */
    String backoff() default "";
}
