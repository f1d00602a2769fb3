package dev.kopf4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a record or class is a custom resource in one version. It has a component {@code spec}, perhaps a
 * {@code status}, and any others that objects have at the top; none for {@code apiVersion}, {@code kind} and
 * {@code metadata}. Or it is the type of the spec alone, and {@link #status} names that of the status.
 *
 * <p>Several versions are several types with the same group and kind. Handlers name the type in place of the resource:
 * {@code @OnCreate(model = Website.class)}, or just take it as a parameter.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/">CustomResourceDefinition</a>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface CustomResource {
    /** The API group, such as {@code example.com}. */
    String group();

    /** The version, such as {@code v1} or {@code v1beta1}. */
    String version();

    /** The kind; by default the name of the type, without {@code Spec} where {@link #status} is given. */
    String kind() default "";

    /** The kind of lists; by default the kind and {@code List}. */
    String listKind() default "";

    /** The plural name in URLs; by default the English plural of the kind, in small letters. */
    String plural() default "";

    /** The singular name; by default the kind in small letters. */
    String singular() default "";

    /** Abbreviations for {@code kubectl}. */
    String[] shortNames() default {};

    /** Groups of resources to which it belongs, such as {@code all}. */
    String[] categories() default {};

    /** Where its objects live. */
    Scope scope() default Scope.NAMESPACED;

    /** The type of the status, if the annotated type is that of the spec. */
    Class<?> status() default void.class;

    /** False if the version is only known, but not served. */
    boolean served() default true;

    /** True for the version that is stored, if there are several. */
    boolean storage() default false;

    /** True if clients get a warning when they use the version. */
    boolean deprecated() default false;

    /** The warning; empty for the API server's own. */
    String deprecationWarning() default "";

    /**
     * False if the status is a part of the object like all others, rather than a subresource, or if there is none. By
     * default it is a subresource, and keeps all fields if the type has no status: what handlers return, and
     * conditions.
     */
    boolean[] statusSubresource() default {};

    /** The subresource {@code scale}; none by default. */
    Scale scale() default @Scale;

    /** Columns of {@code kubectl get}, after those of the components. */
    PrinterColumn[] columns() default {};

    /** The paths of fields that {@code --field-selector} can select by, such as {@code ".spec.color"}. */
    String[] selectableFields() default {};

    /** Annotations of the definition, {@code "key=value"}, such as the approval that groups of Kubernetes need. */
    String[] annotations() default {};
}
