package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the method before the API server stores, changes or deletes an object: {@link AdmissionException}, or any other
 * exception, refuses that. {@link Warnings} are shown to the client.
 *
 * <p>The method is called once for each request, by several threads at a time, without retries; it must be quick, and
 * change nothing, unless {@link #sideEffects} says so. Its views show the object as it would become; for deletions, as
 * it is. Needs {@code settings.admission().server(...)}.
 *
 * <p>See {@code ValidatingWebhook} of {@code admissionregistration.k8s.io/v1}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnValidate.List.class)
public @interface OnValidate {
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

    /** The handler's id, which is part of its webhook's name and address; the method's name by default. */
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

    /**
     * The value of the field as it would become, or as it is if the object is to be deleted; {@link Filter#PRESENT},
     * {@link Filter#ABSENT} or literal text. What it was before a change, the method can ask by {@code Body oldValue},
     * or the API server by {@link #matchConditions}.
     */
    String fieldValue() default Filter.ANYTHING;

    /** The value of the field as JSON, for values other than text. */
    String fieldValueJson() default "";

    /** The name of a method of the same class that takes the value first and returns a boolean. */
    String fieldValueWhen() default "";

    /**
     * What the client wants to do to the object; all operations by default. Mutating handlers are asked about deletions
     * only if {@link AdmissionOperation#DELETE} is their one operation: there is nothing left to change.
     */
    AdmissionOperation[] operations() default {};

    /**
     * Which subresource, such as {@code "status"} or {@code "scale"}; {@code "*"} for any, the object itself included;
     * empty for the object itself alone.
     */
    String subresource() default "";

    /**
     * Whether the webhook stays in the managed configuration when the operator ends: requests fail then until an
     * operator runs again, unless {@link #ignoreFailures} is set.
     */
    boolean persistent() default false;

    /** Whether the method changes anything outside the object; it must not do so in a dry run. */
    boolean sideEffects() default false;

    /**
     * Whether the request goes on if the webhook cannot be reached or fails ({@code failurePolicy: Ignore}); a refusal
     * counts all the same.
     */
    boolean ignoreFailures() default false;

    /**
     * Which objects, by the labels of their namespaces, in Kubernetes' selector syntax; the API server looks at them,
     * also at those of a namespace itself. Several must all hold.
     */
    String[] namespaceSelector() default {};

    /**
     * Conditions in CEL, on {@code object}, {@code oldObject}, {@code request} and {@code authorizer}, which the API
     * server asks before it calls the webhook ({@code matchConditions}, Kubernetes 1.30); all must hold.
     */
    String[] matchConditions() default {};

    /** Whether requests in other versions of the resource are converted and count, too. */
    MatchPolicy matchPolicy() default MatchPolicy.EQUIVALENT;

    /** How long the API server waits for an answer, in seconds from 1 to 30. */
    int timeoutSeconds() default 30;

    /**
     * The options of a handler of the kind in the style without annotations. Made by the framework; not to be
     * implemented.
     */
    interface Options extends AdmissionOptions<Options> {}

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnValidate[] value();
    }
}
