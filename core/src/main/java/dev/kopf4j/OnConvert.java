package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects of a custom resource from one version to another: {@code @OnConvert(value = "widgets.example.com",
 * from = "v1", to = "v2") V2Spec up(V1Spec spec)}. Where no method leads from one version to another, several do, by
 * the shortest way.
 *
 * <p>The first parameter says by its name what is converted: {@code spec}, {@code status}, or {@code body} for the
 * whole object. It is of any type that handlers can take: records and beans, models, {@link Spec}, {@link Status},
 * {@link Body}, maps. What the method returns takes its place. A second parameter of the type {@link Body} gets the
 * whole object as it comes. What nobody converts stays as it is. Fields that the parameter's type does not know stay
 * where they are, too, unless {@link #dropUnknown} is set.
 *
 * <p>The method is called for each object that the API server reads or writes in another version, by several threads at
 * a time, without retries: it must be quick, depend on nothing but the object, and change nothing. An exception fails
 * the client's request with its message. Needs {@code settings.admission().server(...)}.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/">versions
 *     of custom resources</a>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OnConvert.List.class)
public @interface OnConvert {
    /**
     * A form that is no version of the resource, but between all of them: with a function from each version to it, and
     * one back, each version can be converted to each other. Objects never have it outside of conversions.
     */
    String HUB = "hub";

    /** The name of the custom resource definition: {@code widgets.example.com}. */
    String value();

    /** The version that objects come in, or {@link #HUB}. */
    String from();

    /** The version that they become, or {@link #HUB}. */
    String to();

    /** Whether fields are dropped that the parameter's type does not know: what is returned is all that there is. */
    boolean dropUnknown() default false;

    /**
     * What is converted, in the style without annotations. Several parts have a function each; the body is converted
     * alone. Made by the framework; not to be implemented.
     */
    interface Options {
        /** Converts the {@code spec}, bound to the type; objects without one are left alone. */
        <T> Options spec(Class<T> type, Conversion<? super T> function);

        /** The same with a function that sees the whole object, too. */
        <T> Options spec(Class<T> type, BodyConversion<? super T> function);

        /** Converts the {@code status}, bound to the type; objects without one are left alone. */
        <T> Options status(Class<T> type, Conversion<? super T> function);

        /** The same with a function that sees the whole object, too. */
        <T> Options status(Class<T> type, BodyConversion<? super T> function);

        /** Converts the whole object, bound to the type: {@link Body}, a record, a model. */
        <T> Options body(Class<T> type, Conversion<? super T> function);

        /** Drops the fields that the types of these functions do not know. */
        Options dropUnknown();
    }

    /**
     * Converts a part of an object. Thread-safe.
     *
     * @param <T> the type that the part is bound to
     */
    @FunctionalInterface
    interface Conversion<T> {
        /**
         * Converts it.
         *
         * @return a record, bean, model, view or map; never null
         * @throws Exception to fail the client's request, with the message
         */
        @Nullable Object convert(T part) throws Exception;
    }

    /**
     * Converts a part of an object with regard to the rest. Thread-safe.
     *
     * @param <T> the type that the part is bound to
     */
    @FunctionalInterface
    interface BodyConversion<T> {
        /**
         * Converts it.
         *
         * @param body the whole object in the version that it comes in
         * @return a record, bean, model, view or map; never null
         * @throws Exception to fail the client's request, with the message
         */
        @Nullable Object convert(T part, Body body) throws Exception;
    }

    /** Holds several of them on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The annotations in the order of the source. */
        OnConvert[] value();
    }
}
