/**
 * Turns annotated classes and the functions of a builder into registered handlers, and refuses declarations that make
 * no sense, with the class, the method and the way out. This is done before anything is watched.
 *
 * <p>{@code engine.registration} reads annotations and builders, and refuses nonsense before anything is watched;
 * {@code engine.injection} decides what each parameter gets. Methods come in the order of the source, which reflection
 * does not promise: it is read from the class file.
 */
package dev.kopf4j.engine.registration;
