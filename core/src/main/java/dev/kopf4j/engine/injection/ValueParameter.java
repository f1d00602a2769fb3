package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.object.ValueBinding;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A parameter that gets a value of the object in its own type. Where there is no value, it is null, or empty if the
 * parameter is an {@link Optional}; a primitive cannot be, and fails the handler for good. Immutable.
 *
 * @param parameter the parameter
 * @param what the value, for people: {@code field spec.size}
 * @param source gives the value; null if there is none
 */
record ValueParameter(Parameter parameter, String what, Function<HandlerContext, @Nullable Object> source)
        implements ParameterBinder {
    @Override
    public @Nullable Object bind(HandlerContext context) {
        Object value = source.apply(context);
        if (parameter.getType() == Optional.class) {
            return Optional.ofNullable(bound(value, content(parameter.getParameterizedType()), context));
        }
        if (value == null && parameter.getType().isPrimitive()) {
            throw new PermanentException(what + " is absent, but parameter '" + parameter.getName()
                    + "' is of the primitive type " + parameter.getType() + "; use a boxed type or Optional");
        }
        return bound(value, parameter.getParameterizedType(), context);
    }

    private @Nullable Object bound(@Nullable Object value, Type type, HandlerContext context) {
        return ValueBinding.bind(
                value,
                type,
                () -> "the value for parameter '" + parameter.getName() + "' in "
                        + context.body().kind() + " " + context.name());
    }

    /** What an {@code Optional} is of; {@code Object} if that is not said. */
    static Type content(Type optional) {
        return optional instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : Object.class;
    }
}
