package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the method when the deletion of an object was requested. A finalizer holds the object until the method has
 * succeeded or finally failed, unless {@link #optional}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnDelete.List.class)
public @interface OnDelete {
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

    /** The handler's id, by which its progress and results are stored; the method's name by default. */
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

    /** True if the object need not wait for the handler: no finalizer is put on it, and a deletion may go unnoticed. */
    boolean optional() default false;

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

    /**
     * The value of the field, before or after the change; {@link Filter#PRESENT}, {@link Filter#ABSENT} or literal
     * text.
     */
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

    /**
     * The options of a handler of deletions in the style without annotations. Made by the framework; not to be
     * implemented.
     */
    interface Options extends HandlerOptions<Options>, RetryOptions<Options> {
        /** The object need not wait for the handler: no finalizer is put on it, and a deletion may go unnoticed. */
        Options optional();
    }

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnDelete[] value();
    }
}
