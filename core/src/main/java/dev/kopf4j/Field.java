package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of a handler the value of a field of the object, in the parameter's type; null if the field is
 * absent, empty if the parameter is an {@link java.util.Optional}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
    /** The dotted path of the field, such as {@code spec.nodeName}. */
    String value();
}
