package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of a handler the value of a field of the object, in the parameter's type; null if the field is
 * absent, empty if the parameter is an {@link java.util.Optional}. Where the field is absent and the parameter a
 * primitive, the handler fails for good.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
    /**
     * The field: dotted, such as {@code "spec.nodeName"}, or keys one below the other, where keys have dots themselves:
     * {@code {"metadata", "annotations", "example.com/size"}}.
     */
    String[] value();
}
