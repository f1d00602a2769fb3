package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of a handler the value of an annotation of the object: text, or bound to the parameter's type
 * ({@code "5"} to an {@code Integer}). Null if the object does not have the annotation, empty if the parameter is an
 * {@link java.util.Optional}. The same as {@code {@literal @}Field({"metadata", "annotations", key})}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Annotation {
    /** The key of the annotation, such as {@code "example.com/tier"}. */
    String value();
}
