package dev.kopf4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a field may hold, beyond what its Java type says. On a record or class it is for all fields of that type; on a
 * component or field for this one, and wins; inside a type for elements and values: {@code List<@Schema(maxLength = 63)
 * String>}.
 *
 * <p>A field is required unless it is {@code @Nullable}, an {@link java.util.Optional}, has a default, or is a direct
 * field of the status.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#JSONSchemaProps">JSONSchemaProps</a>
 */
@Documented
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Schema {
    /** For {@link #format}: none, though the Java type has one. */
    String NONE = "none";

    /** What the value is for, as {@code kubectl explain} shows it; by default what Javadoc says, where it is known. */
    String description() default "";

    /**
     * The value where none is given: text for text, times and enums, and JSON for everything else: {@code defaultValue
     * = "3"}.
     */
    String[] defaultValue() default {};

    /** The values that are allowed: text for text, and JSON for everything else. A Java enum says it by itself. */
    String[] enumValues() default {};

    /** The format, such as {@code ipv4} or {@code int64}; by default that of the Java type. {@link #NONE} for none. */
    String format() default "";

    /** The regular expression (RE2) that the text, or a part of it, must match. */
    String pattern() default "";

    /** The least number. */
    double minimum() default Double.NaN;

    /** The greatest number. */
    double maximum() default Double.NaN;

    /** True if the number must be greater than {@link #minimum}. */
    boolean exclusiveMinimum() default false;

    /** True if the number must be less than {@link #maximum}. */
    boolean exclusiveMaximum() default false;

    /** The number must be a multiple of it. */
    double multipleOf() default Double.NaN;

    /** The least length of the text, in characters. */
    long minLength() default -1;

    /** The greatest length of the text, in characters. */
    long maxLength() default -1;

    /** The least number of elements. */
    long minItems() default -1;

    /** The greatest number of elements. */
    long maxItems() default -1;

    /** The least number of entries. */
    long minProperties() default -1;

    /** The greatest number of entries. */
    long maxProperties() default -1;

    /** How the list is merged. */
    ListType listType() default ListType.DEFAULT;

    /** The fields that tell the list's elements apart; the list is merged by them. */
    String[] listMapKeys() default {};

    /** How the mapping is merged. */
    MapType mapType() default MapType.DEFAULT;

    /** True if JSON's {@code null} is a value, other than an absent field. */
    boolean nullable() default false;

    /** True if the field must be there in spite of a default, or of being part of the status. */
    boolean required() default false;

    /** True if the value is a whole number or a text, such as a port ({@code x-kubernetes-int-or-string}). */
    boolean intOrString() default false;

    /** True if the value is a whole object of Kubernetes ({@code x-kubernetes-embedded-resource}). */
    boolean embeddedResource() default false;

    /** True if fields that the schema does not know are kept ({@code x-kubernetes-preserve-unknown-fields}). */
    boolean preserveUnknownFields() default false;

    /** True if {@code kubectl get --field-selector} can select by it. */
    boolean selectable() default false;

    /** Rules that the value must keep. */
    Rule[] rules() default {};

    /**
     * For what has no attribute here, such as {@code oneOf}: a JSON object that is merged into the schema (RFC 7386:
     * nulls remove).
     */
    String json() default "";
}
