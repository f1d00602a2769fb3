/**
 * What users of the framework see: annotations and builder, views of objects, patches, settings, exceptions.
 *
 * <p>Values and interfaces; the logic is in the packages below. {@link dev.kopf4j.Operator#builder} is the one place
 * that reaches into the engine.
 *
 * <p>Whatever users make is made by methods, so that a new option changes no constructor. The public records
 * ({@link dev.kopf4j.Diff}, {@link dev.kopf4j.HandlerCall}, {@link dev.kopf4j.OperatorState},
 * {@link dev.kopf4j.Resource}, {@link dev.kopf4j.SettingValue}, {@link dev.kopf4j.StreamState}) are made by the
 * framework alone, and may get more components.
 *
 * <p>It has many more than twenty classes because an operator gets all that it needs by one import: {@code import
 * dev.kopf4j.*;}.
 */
package dev.kopf4j;
