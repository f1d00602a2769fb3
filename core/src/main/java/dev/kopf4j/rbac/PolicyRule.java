package dev.kopf4j.rbac;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A right that a handler needs for what it does by itself, such as reading pods with a client. What the framework does
 * for handlers (watching, patching, finalizers, events, children) needs no such annotation. It stands on the method, or
 * on the class for all its methods; {@code kopf4j manifests} puts it into the operator's role. Nothing is granted or
 * refused while the operator runs. Of functions, {@link dev.kopf4j.OperatorBuilder#policyRule} says the same.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-v1/">rbac.authorization.k8s.io/v1,
 *     PolicyRule</a>
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PolicyRule.List.class)
public @interface PolicyRule {
    /** The API groups of the resources; empty text for the core API, which is the default. */
    String[] apiGroups() default "";

    /** The plural names of the resources, subresources behind a slash: {@code {"pods", "pods/log"}}. */
    String[] resources();

    /** What is done with them: {@code get}, {@code list}, {@code watch}, {@code create}, {@code patch} and the like. */
    String[] verbs();

    /**
     * The names of the only objects that it is for; all by default. Lists and watches are allowed if they select one of
     * them by {@code metadata.name}. Creations and {@code deletecollection} cannot be limited so.
     */
    String[] resourceNames() default {};

    /**
     * The only namespace that it is for; by default all that the operator serves. {@link #OWN} is the one in which the
     * operator runs.
     */
    String namespace() default "";

    /**
     * True if it is for resources that are in no namespace, such as nodes, or for all namespaces, though the operator
     * serves some of them only.
     */
    boolean clusterwide() default false;

    /** For {@link #namespace}: the one in which the operator runs. */
    String OWN = ".";

    /** Several rules. */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The rules. */
        PolicyRule[] value();
    }
}
