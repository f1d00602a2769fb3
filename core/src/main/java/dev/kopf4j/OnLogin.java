package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the method when credentials are needed: at the start, and when those in use have expired or were rejected. It
 * returns a {@link ConnectionInfo}, an {@link java.util.Optional} of one, or null for none. If there are login
 * handlers, the built-in ways to log in are not used, unless they are called through {@link Logins}.
 *
 * <p>All login handlers are called in the order of the source. Once any has given a credential, those that have failed
 * are left until the next login; until then, those that fail for now are called again.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnLogin.List.class)
public @interface OnLogin {
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

    /** How long the handler may take over all its attempts, such as {@code "10m"}; unlimited by default. */
    String timeout() default "";

    /** How many attempts there are in all; unlimited by default. */
    int retries() default -1;

    /**
     * The pause after an arbitrary exception, such as {@code "30s"}; by default 1, 2, 3 and so on up to 10 seconds, or
     * {@code settings.execution.defaultBackoff} if that is shorter.
     */
    String backoff() default "";

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnLogin[] value();
    }
}
