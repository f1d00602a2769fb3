package dev.kopf4j.crd;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The subresource {@code scale}, which {@code kubectl scale} and autoscalers use. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Scale {
    /** The path of the wanted number, such as {@code ".spec.replicas"}; empty for no such subresource. */
    String spec() default "";

    /** The path of the number that there is. */
    String status() default ".status.replicas";

    /** The path of the pods' label selector as text; empty for none. */
    String selector() default "";
}
