package dev.kopf4j;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that nobody but {@link OperatorBuilder#handlers} registers the handlers of a class: {@code kopf4j run}, which
 * takes all annotated classes that it finds, leaves it out. For handlers of operators that a program runs itself.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ExplicitRegistration {}
