package dev.kopf4j.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the dev cluster of a test is like; on the test's class or method. On a cluster that exists, a test with faults
 * fails, as there are none there; everything else has no effect: workloads run as that cluster runs them, and RBAC and
 * time are its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface DevClusterOptions {
    /** Simulates pods, deployments and jobs, which become ready after this time, such as {@code 100ms}. */
    String workloads() default "";

    /** Switches RBAC on; needs {@link KopfTest#serviceAccount}, or the operator is the administrator. */
    boolean rbac() default false;

    /** Faults from the beginning, in the notation of the dev cluster: {@code 50% PATCH ** 503}. */
    String[] faults() default {};

    /** What is drawn at random: faults in real time, and everything in virtual time. */
    long seed() default 0;
}
