package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerKind;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of one handler can be given. Immutable.
 *
 * @param kind what the handler is called for
 * @param param the value for parameters of the name {@code param}; null if none was given
 * @param paramOfCall true if that value is known at each call only, and the other one means nothing
 * @param injectableTypes what is special to the operator
 */
public record HandlerArguments(
        HandlerKind kind, @Nullable Object param, boolean paramOfCall, InjectableTypes injectableTypes) {
    /** Those of a handler whose value for {@code param} is known now. */
    public HandlerArguments(HandlerKind kind, @Nullable Object param, InjectableTypes injectableTypes) {
        this(kind, param, false, injectableTypes);
    }

    /** Those of a handler whose value for {@code param} comes with each call. */
    public static HandlerArguments withParamOfCall(HandlerKind kind, InjectableTypes injectableTypes) {
        return new HandlerArguments(kind, null, true, injectableTypes);
    }
}
