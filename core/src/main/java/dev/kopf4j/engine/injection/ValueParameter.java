package dev.kopf4j.engine.injection;

import dev.kopf4j.BindingException;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.engine.injection.ParameterBinders.ParameterBinder;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.text.DurationText;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A parameter that gets a value of the object in its own type. Where there is no value, it is null, or empty if the
 * parameter is an {@link Optional}; a primitive cannot be, and fails the handler for good. Immutable.
 *
 * @param parameter the parameter
 * @param type its type
 * @param what the value, for people: {@code field spec.size}
 * @param source gives the value; null if there is none
 */
record ValueParameter(Parameter parameter, Type type, String what, Function<HandlerContext, @Nullable Object> source)
        implements ParameterBinder {
    @Override
    public @Nullable Object bind(HandlerContext context) {
        Object value = source.apply(context);
        if (isOptional(type)) {
            return Optional.ofNullable(bound(value, content(type), context));
        }
        if (value == null && parameter.getType().isPrimitive()) {
            throw new PermanentException(what + " is absent, but parameter '" + parameter.getName()
                    + "' is of the primitive type " + parameter.getType() + "; use a boxed type or Optional");
        }
        return bound(value, type, context);
    }

    private @Nullable Object bound(@Nullable Object value, Type type, HandlerContext context) {
        return ValueBinding.bind(
                value,
                type,
                () -> "the value for parameter '" + parameter.getName() + "' in "
                        + context.body().kind() + " " + context.name());
    }

    private static boolean isOptional(Type type) {
        return type == Optional.class
                || (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class);
    }

    /** What an {@code Optional} is of; {@code Object} if that is not said. */
    static Type content(Type optional) {
        return optional instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : Object.class;
    }

    /**
     * The value for a parameter of the name {@code param}, in its type: found once, when the operator is built; null if
     * none was given.
     *
     * @param type the parameter's type
     * @throws HandlerDeclarationException if it does not fit
     */
    static @Nullable Object ofParam(Method method, Parameter parameter, Type type, @Nullable Object param) {
        if (isOptional(type)) {
            Type content = content(type);
            return param == null ? Optional.empty() : Optional.ofNullable(bound(method, parameter, param, content));
        }
        if (param == null && parameter.getType().isPrimitive()) {
            throw HandlerMethods.mistake(
                    method, parameter, "the annotation gives none: add param = \"...\", or take a boxed type");
        }
        return param == null ? null : bound(method, parameter, param, type);
    }

    private static @Nullable Object bound(Method method, Parameter parameter, Object param, Type type) {
        try {
            return type == Duration.class && param instanceof String text
                    ? DurationText.parse(text)
                    : ValueBinding.bind(param, type, () -> "it");
        } catch (BindingException | JsonConversionException | IllegalArgumentException e) {
            throw HandlerMethods.mistake(
                    method, parameter, "the annotation gives '" + param + "' for it: " + e.getMessage());
        }
    }
}
