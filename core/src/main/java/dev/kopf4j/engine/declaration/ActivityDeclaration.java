package dev.kopf4j.engine.declaration;

import dev.kopf4j.Activity;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of an activity's handler, in either style. Immutable.
 *
 * @param activity what it is a part of
 * @param id its id; null if it is to be the method's name
 * @param param a value for its parameter {@code param}
 * @param options how often it is called when it fails
 */
public record ActivityDeclaration(
        Activity activity, @Nullable String id, @Nullable Object param, DeclaredOptions options) {}
