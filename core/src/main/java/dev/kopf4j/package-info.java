/**
 * What users of the framework see: annotations and builder, views of objects, patches, settings, exceptions.
 *
 * <p>Values and interfaces; the logic is in the packages below. {@link dev.kopf4j.Operator#builder} is the one place
 * that reaches into the engine.
 */
package dev.kopf4j;
