package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerKind;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of one handler can be given. Immutable.
 *
 * @param kind what the handler is called for
 * @param param the value for parameters of the name {@code param}; null if none was given
 * @param injectableTypes what is special to the operator
 */
public record HandlerArguments(HandlerKind kind, @Nullable Object param, InjectableTypes injectableTypes) {}
