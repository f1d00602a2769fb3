package dev.kopf4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A column of {@code kubectl get}. On a component or field it shows that value; in {@link CustomResource#columns} it
 * needs a path. Columns of components come first, in the order of the source.
 */
@Documented
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
public @interface PrinterColumn {
    /** The heading; by default the field's name with a capital letter. */
    String name() default "";

    /** The path of the value, such as {@code ".metadata.creationTimestamp"}; by default that of the field. */
    String path() default "";

    /**
     * The type: {@code integer}, {@code number}, {@code string}, {@code boolean} or {@code date}; by default that of
     * the field, or {@code string}.
     */
    String type() default "";

    /** The format of the type, such as {@code int32}; empty for none. */
    String format() default "";

    /** What the column tells; empty for nothing. */
    String description() default "";

    /** Columns with a priority over 0 are shown by {@code -o wide} only. */
    int priority() default 0;
}
