package dev.kopf4j.engine.injection;

import dev.kopf4j.BindingException;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.text.DurationText;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The value for a parameter of the name {@code param}, in its type: found once, when the operator is built. Pure. */
final class ParamArgument {
    private ParamArgument() {}

    /**
     * The value; null if none was given.
     *
     * @throws HandlerDeclarationException if it does not fit
     */
    static @Nullable Object of(Method method, Parameter parameter, @Nullable Object param) {
        if (parameter.getType() == Optional.class) {
            Type content = ValueParameter.content(parameter.getParameterizedType());
            return param == null ? Optional.empty() : Optional.ofNullable(bound(method, parameter, param, content));
        }
        if (param == null && parameter.getType().isPrimitive()) {
            throw HandlerMethods.mistake(
                    method, parameter, "the annotation gives none: add param = \"...\", or take a boxed type");
        }
        return param == null ? null : bound(method, parameter, param, parameter.getParameterizedType());
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
