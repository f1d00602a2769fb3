package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method for an object, the parent, when something happens to a child of it: the child is created, changed,
 * or deleted, or is seen for the first time since the start ({@link Reason#RESUME}).
 *
 * <p>The usual parameters are about the parent: {@code name}, {@code spec}, {@link Patch}, {@link Memo}. The child is
 * the parameter {@code child}, a {@link Body} or a type of your own; {@link Reason} and {@link Diff} tell what has
 * happened to it, {@code oldValue} and {@code newValue} are its states, or those of the field. Filters by labels,
 * annotations and fields are about the child.
 *
 * <p>A child belongs to the parent by its owner reference, whoever has made it; or by a label, or by a function. The
 * state counts, not the steps: of several changes in quick succession, the method sees the last one. Nothing is stored:
 * after a restart, it is told of each child once. If it fails, it is called again with the child as it is then. It is
 * never called at the same time as other handlers of the parent but daemons and timers.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnChild.List.class)
public @interface OnChild {
    /** Which resource the parent is: as {@link #value} for the child. */
    String[] parent() default {};

    /**
     * Which resource the child is: its name (plural, singular, kind or short name), or group and name, or group,
     * version and name, or a dotted form such as {@code kopfexamples.v1.kopf.dev}.
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
     * Which children, by labels, in Kubernetes' selector syntax: {@code "app=web,tier in (a,b),!legacy"}. Several must
     * all hold.
     */
    String[] labels() default {};

    /**
     * Which children, by the values of labels: {@code "key=method"} names a method of the same class that takes the
     * value first, null where the label is absent, then injectable parameters, and returns a boolean. Several must all
     * hold.
     */
    String[] labelWhen() default {};

    /**
     * Which children, by annotations: {@code "key=value"}, {@code "key"} for present, {@code "!key"} for absent; all
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
     * Only children that have this field; a change counts only if it is inside: dotted, such as {@code "spec.size"}, or
     * keys one below the other, where keys have dots themselves: {@code {"metadata", "annotations",
     * "example.com/size"}}.
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

    /**
     * The child's label whose value is the name of the parent, in the namespace of the child, instead of owner
     * references. The server sends only children that have it.
     */
    String parentLabel() default "";

    /**
     * The name of a method of the same class that takes the child as a {@link Body}, and returns the name of its parent
     * in the namespace of the child, or {@code namespace/name}, or {@code /name} of a cluster-scoped one; null for
     * none. Instead of owner references.
     */
    String parentBy() default "";

    /**
     * True, the default, to keep the children as they are; false if the method looks at nothing but the metadata of the
     * child: then the server sends nothing else, unless other handlers need it.
     */
    boolean bodies() default true;

    /** The options of the same in the style without annotations. Made by the framework; not to be implemented. */
    interface Options extends HandlerOptions<Options>, RetryOptions<Options> {
        /** The child's label whose value is the name of the parent, instead of owner references. */
        Options parentLabel(String key);

        /**
         * Finds the name of the parent of a child: in the namespace of the child, or as {@code namespace/name}, or as
         * {@code /name} of a cluster-scoped one; null for none. The function must be quick: the stream waits for it.
         */
        Options parent(Function<? super Body, @Nullable String> function);

        /** False if the function looks at nothing but the metadata of the child. */
        Options bodies(boolean kept);
    }

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnChild[] value();
    }
}
