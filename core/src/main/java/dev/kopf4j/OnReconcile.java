package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the method to learn which children an object ought to have, and sees to it that it has them: missing ones are
 * created, those that differ are changed back, those that are not wanted any more are deleted.
 *
 * <p>The method returns the children, or adds them to a parameter of the type {@link Children}: maps, texts of YAML,
 * models of a client library, or collections of these. It is called when the object is created, changed, or seen for
 * the first time since the start, and when a child differs, is deleted, or becomes ready or unready; never while
 * nothing happens. So it describes the state that ought to be, and need not know what has happened. Nothing is stored
 * on the object for it, apart from a condition.
 *
 * <p>Children are written by server-side apply with the field manager of {@code settings.children()}, and become owned
 * by the object. Fields that the method does not name belong to others, and stay as they are. An object that is deleted
 * takes its children along, by Kubernetes' garbage collector. Where the method's filters do not match, the children are
 * left alone.
 *
 * <p>If the method fails, no child is changed or deleted until it succeeds. A child that cannot be written does not
 * hold up the others; it is tried again after the backoff.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">server-side apply</a>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnReconcile.List.class)
public @interface OnReconcile {
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

    /** The handler's id, by which children remember who has made them; the method's name by default. */
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

    /**
     * The kinds of all children that the method may name, such as {@code {"configmaps", "deployments.v1.apps"}}: they
     * are watched from the start, so that changes are found that others make, even while no operator runs.
     */
    String[] children();

    /**
     * True to take fields from any other manager. By default, only changes of fields are undone that somebody has made
     * by hand, or by a client that does not apply; a conflict with another applier is reported as an event, and the
     * child stays as it is.
     */
    boolean force() default false;

    /**
     * True to take over objects that exist already under the names of children and that somebody else has made: from
     * then on they belong to the object, and are deleted with it. By default, such an object is left alone, and an
     * event tells of it. One that another object controls is never taken.
     */
    boolean adopt() default false;

    /**
     * True to delete the children before the object, those first that others are {@link Child#after after}. The object
     * gets the operator's finalizer for it. By default, the garbage collector deletes them in any order.
     */
    boolean ordered() default false;

    /**
     * True to keep the children in memory as they are, for {@link Children#live}; by default, nothing is kept but what
     * identifies them. Those of {@link OnChild} are kept anyway, unless {@link OnChild#bodies} is false.
     */
    boolean bodies() default false;

    /**
     * The type of the condition in {@code status.conditions} that tells whether all children are as they ought to be,
     * and ready; empty for none.
     */
    String condition() default "Ready";

    /** The options of the same in the style without annotations. Made by the framework; not to be implemented. */
    interface Options extends HandlerOptions<Options>, RetryOptions<Options> {
        /** The kinds of all children that the function may name, such as {@code "deployments.v1.apps"}. */
        Options children(String... kinds);

        /** The kinds of all children that the function may name. */
        Options children(ResourceSelector... kinds);

        /** Takes fields from any other manager, even from those that apply. */
        Options force();

        /** Takes over objects that exist already under the names of children, and that somebody else has made. */
        Options adopt();

        /** Deletes the children before the object, those first that others are {@link Child#after after}. */
        Options ordered();

        /** True to keep the children in memory as they are, for {@link Children#live}. */
        Options bodies(boolean kept);

        /**
         * Sets the type of the condition that tells whether all children are ready; {@code Ready} by default.
         *
         * @param type empty for no condition
         */
        Options condition(String type);
    }

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnReconcile[] value();
    }
}
