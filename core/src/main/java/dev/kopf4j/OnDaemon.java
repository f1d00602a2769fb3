package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the method beside each object, as long as the object exists and its filters match: in a thread of its own, from
 * when the object is seen until it is deleted or the operator ends. The method watches its {@link Stopped} parameter.
 *
 * <p>A method that returns, or fails for good, is not started again for the object in this process.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnDaemon.List.class)
public @interface OnDaemon {
    /**
     * Which resource: its name (plural, singular, kind or short name), or group and name, or group, version and name,
     * or a dotted form such as {@code kopfexamples.v1.kopf.dev}.
     */
    String[] value() default {};

    /** The API group of the resource, when the name alone is not enough; empty for any. */
    String group() default "";

    /** The API version of the resource; empty for the version that the server prefers. */
    String version() default "";

    /** The kind of the resource, instead of a name in {@link #value}. */
    String kind() default "";

    /** The plural name of the resource, instead of a name in {@link #value}. */
    String plural() default "";

    /** The singular name of the resource, instead of a name in {@link #value}. */
    String singular() default "";

    /** A short name of the resource, instead of a name in {@link #value}. */
    String shortName() default "";

    /** A category: all its resources are handled. */
    String category() default "";

    /** A model class whose group, version and kind say which resource; {@code void.class} for none. */
    Class<?> model() default void.class;

    /**
     * The name of a method of the same class that takes a {@link Resource} and returns a boolean: all resources that
     * pass are handled.
     */
    String resourceWhen() default "";

    /** The handler's id, by which its results are stored; the method's name by default. */
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

    /**
     * Which objects, by labels, in Kubernetes' selector syntax: {@code "app=web,tier in (a,b),!legacy"}. Several must
     * all hold.
     */
    String[] labels() default {};

    /**
     * Which objects, by the values of labels: {@code "key=method"} names a method of the same class that takes the
     * value first, null where the label is absent, then injectable parameters, and returns a boolean. Several must all
     * hold.
     */
    String[] labelWhen() default {};

    /**
     * Which objects, by annotations: {@code "key=value"}, {@code "key"} for present, {@code "!key"} for absent; all
     * must hold.
     */
    String[] annotations() default {};

    /** The same as {@link #labelWhen} for annotations. */
    String[] annotationWhen() default {};

    /**
     * The names of methods of the same class that take injectable parameters and return a boolean; called after all
     * other filters. Several must all hold.
     */
    String[] when() default {};

    /**
     * Only objects that have this field: dotted, such as {@code "spec.size"}, or keys one below the other, where keys
     * have dots themselves: {@code {"metadata", "annotations", "example.com/size"}}.
     */
    String[] field() default {};

    /** The value of the field; {@link Filter#PRESENT}, {@link Filter#ABSENT} or literal text. */
    String fieldValue() default Filter.ANYTHING;

    /** The value of the field as JSON, for values other than text. */
    String fieldValueJson() default "";

    /** The name of a method of the same class that takes the value first and returns a boolean. */
    String fieldValueWhen() default "";

    /** What an arbitrary exception means. */
    ErrorsMode errors() default ErrorsMode.TEMPORARY;

    /** How long the handler may take over all its attempts, such as {@code "10m"}; unlimited by default. */
    String timeout() default "";

    /** How many attempts there are in all; unlimited by default. */
    int retries() default -1;

    /**
     * The pause after an arbitrary exception, such as {@code "30s"}; {@code settings.execution.defaultBackoff} by
     * default.
     */
    String backoff() default "";

    /** How long to wait before the start, such as {@code "30s"}; not at all by default. */
    String initialDelay() default "";

    /**
     * The name of a method of the same class that takes injectable parameters and returns the initial delay as a
     * {@code Duration}; null for none.
     */
    String initialDelayBy() default "";

    /** How long the daemon may take to end by itself before it is interrupted; not at all by default. */
    String cancellationBackoff() default "";

    /**
     * How long the daemon may take to end after it was interrupted; then it is left behind. Without it, the default,
     * the daemon is never interrupted while the operator lives, and an object's deletion waits for it.
     */
    String cancellationTimeout() default "";

    /**
     * How often the log reports a daemon that does not end; {@code settings.background.cancellationPolling} by default.
     */
    String cancellationPolling() default "";

    /** The options of a daemon in the style without annotations. Made by the framework; not to be implemented. */
    interface Options extends HandlerOptions<Options>, RetryOptions<Options> {
        /**
         * How long to wait before the start; not at all by default.
         *
         * @param time not negative
         */
        Options initialDelay(Duration time);

        /**
         * The same, asked for each object when it is seen, in a task of its own: the function may block. Null or a
         * negative time is no delay; if the function throws, the daemon is not started for this object.
         */
        Options initialDelay(Function<? super HandlerContext, @Nullable Duration> function);

        /**
         * How long the daemon may take to end by itself before it is interrupted; not at all by default.
         *
         * @param time not negative
         */
        Options cancellationBackoff(Duration time);

        /**
         * How long the daemon may take to end after it was interrupted; then it is left behind. Without it, the
         * default, the daemon is never interrupted while the operator lives, and an object's deletion waits for it.
         *
         * @param time not negative
         */
        Options cancellationTimeout(Duration time);

        /**
         * How often the log reports a daemon that does not end; {@code settings.background.cancellationPolling} by
         * default.
         *
         * @param time 1 ms at least
         */
        Options cancellationPolling(Duration time);
    }

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnDaemon[] value();
    }
}
