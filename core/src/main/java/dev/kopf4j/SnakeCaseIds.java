package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the handlers of a class have the ids that Python operators have: the method's name in lower case with
 * underscores, {@code create_fn} for {@code createFn}, where the annotation gives no {@code id}. So a Java operator
 * goes on with the progress of a Python one, and writes its results under the same names.
 *
 * <p>Index functions keep the names of their methods: nothing is stored under them, and parameters name them.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface SnakeCaseIds {}
