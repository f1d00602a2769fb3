package dev.kopf4j.testing;

import dev.kopf4j.testing.extension.KopfTestExtension;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test a cluster and an operator of its own; on the class or the method of a test. Tests ask for what they
 * need by parameters: {@link TestedOperator} (or {@code OperatorHandle}), fabric8's {@code KubernetesClient},
 * {@link TestCluster}, {@code DevCluster}, and {@link TestClock} in virtual time.
 *
 * <p>The cluster is an embedded one, unless the system property {@code kopf4j.test.cluster} is {@code current}, or
 * names a kubeconfig file: then each test gets a namespace of its own there, and the operator watches that only,
 * whatever its builder says. What cannot be kept to a namespace, or needs the dev cluster, fails such a test in words.
 * Tests in virtual time always have their own cluster.
 *
 * <p>A test fails also if the operator fails, or the framework logs an unexpected error.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(KopfTestExtension.class)
public @interface KopfTest {
    /** The classes with handlers. */
    Class<?>[] value() default {};

    /**
     * A static method of the test's class, of one that it extends, or of one around it, that gives the operator: it
     * returns an {@code OperatorBuilder}, or gets one as its only parameter and adds to it.
     */
    String builder() default "";

    /**
     * The arguments of {@code kopf4j run}: source files, and options such as {@code --set}. YAML files in the folder of
     * the first source are applied. Needs the module {@code kopf4j-cli}.
     */
    String[] run() default {};

    /**
     * What is applied before the operator starts: paths of YAML files, from the working directory or on the class path,
     * or YAML itself (whatever has a line break). Definitions of the types that handlers take need not be named: of
     * records with {@code @CustomResource} they are made; of models of fabric8 those are applied that its generator has
     * put on the class path, or a definition without a schema.
     */
    String[] apply() default {};

    /** The time that the test runs in. */
    TestTime time() default TestTime.REAL;

    /** How long each wait may take: 10 s by default, in virtual time 1 h, on a cluster that exists 60 s. */
    String timeout() default "";

    /** Whether the operator is started before the test. */
    boolean start() default true;

    /** Whether the test fails if the operator has failed, or has logged an unexpected error of the framework. */
    boolean reraise() default true;

    /**
     * The service account that the operator logs in as on the dev cluster, {@code namespace/name}: RBAC decides then
     * what it may do, and the test fails if it has tried something else. Its roles are among what is {@link #apply
     * applied}. On a cluster that exists, such a test fails.
     */
    String serviceAccount() default "";
}
