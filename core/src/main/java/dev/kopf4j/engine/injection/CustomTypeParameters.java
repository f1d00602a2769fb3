package dev.kopf4j.engine.injection;

import dev.kopf4j.CustomObject;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.TypeRef;
import dev.kopf4j.integration.CustomTypes;
import dev.kopf4j.object.TypedObject;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import org.jspecify.annotations.Nullable;

/**
 * What parameters get that ask for the object in types of the user's own. Pure.
 *
 * @param method whose parameters they are, for messages
 */
record CustomTypeParameters(Method method) {
    /** What the parameter gets; null if its type does not say it. */
    @Nullable ParameterBinder of(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == CustomObject.class) {
            return customObject(parameter);
        }
        if (!CustomTypes.isCustomResource(type)) {
            return null;
        }
        return CustomTypes.isSpec(type)
                ? context -> context.spec().as(type)
                : context -> context.body().as(type);
    }

    private ParameterBinder customObject(Parameter parameter) {
        if (!(parameter.getParameterizedType() instanceof ParameterizedType generic)) {
            throw HandlerMethods.mistake(
                    method,
                    parameter,
                    "the types of spec and status are missing; write for example CustomObject<WebsiteSpec, WebsiteStatus>");
        }
        TypeRef<?> spec = TypeRef.of(generic.getActualTypeArguments()[0]);
        TypeRef<?> status = TypeRef.of(generic.getActualTypeArguments()[1]);
        return context -> object(context, spec, status);
    }

    private static <S, T> CustomObject<S, T> object(HandlerContext context, TypeRef<S> spec, TypeRef<T> status) {
        return new TypedObject<>(context, spec, status);
    }
}
