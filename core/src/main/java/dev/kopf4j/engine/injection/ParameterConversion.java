package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.View;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import java.lang.reflect.Parameter;

/** Converts values to the types of parameters. Pure. */
final class ParameterConversion {
    private ParameterConversion() {}

    static Object convert(HandlerContext context, Object value, Parameter parameter) {
        if (value instanceof View view) {
            return view.as(parameter.getParameterizedType());
        }
        return ModelBinding.bind(
                Json.fromJava(value),
                parameter.getParameterizedType(),
                FieldPath.ROOT,
                () -> "the value for parameter '" + parameter.getName() + "' in "
                        + context.body().kind() + " " + context.name());
    }

    static PermanentException absent(String path, Parameter parameter) {
        return new PermanentException("field " + path + " is absent, but parameter '" + parameter.getName()
                + "' is of the primitive type " + parameter.getType() + "; use a boxed type or Optional");
    }
}
