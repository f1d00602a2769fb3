package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the method when somebody asks whether the operator is alive, at most once in ten seconds. What it returns is
 * shown under its id; an exception makes the answer a bad one.
 *
 * <p>All handlers of probes are called in the order of the source, each once for an answer, whatever has failed: the
 * next answer is another attempt.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnProbe.List.class)
public @interface OnProbe {
    /** The handler's id, for logs and results; the method's name by default. */
    String id() default "";

    /**
     * A value for the parameter {@code param} of the method, to tell apart several annotations on it: text, in the
     * parameter's type, such as {@code "5"} for an {@code int} or {@code "10s"} for a {@code Duration}.
     */
    String param() default "";

    /**
     * The name of a method of the same class without parameters, which is called once, when the operator is built: what
     * it returns is the parameter {@code param}, of any type.
     */
    String paramBy() default "";

    /** What an arbitrary exception means. */
    ErrorsMode errors() default ErrorsMode.TEMPORARY;

    /** How long the handler may take, such as {@code "3s"}; unlimited by default. */
    String timeout() default "";

    /** Of no account, as each answer has one attempt; here for the likeness of all activities. */
    int retries() default -1;

    /** Of no account, as each answer has one attempt; here for the likeness of all activities. */
    String backoff() default "";

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnProbe[] value();
    }
}
