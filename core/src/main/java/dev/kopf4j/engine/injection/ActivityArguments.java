package dev.kopf4j.engine.injection;

import dev.kopf4j.Activity;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of one activity's handler can be given. Immutable.
 *
 * @param activity what the handler is a part of
 * @param param the value for parameters of the name {@code param}; null if none was given
 * @param injectableTypes what is special to the operator
 */
public record ActivityArguments(Activity activity, @Nullable Object param, InjectableTypes injectableTypes) {}
