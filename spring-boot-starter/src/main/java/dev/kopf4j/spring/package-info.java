/**
 * An operator in a Spring Boot application: {@link dev.kopf4j.spring.KopfAutoConfiguration} makes it of the beans that
 * have handlers, {@link dev.kopf4j.spring.OperatorLifecycle} starts and stops it with the application.
 */
@NullMarked
package dev.kopf4j.spring;

import org.jspecify.annotations.NullMarked;
