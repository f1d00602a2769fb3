package dev.kopf4j.object;

import dev.kopf4j.BindingException;
import dev.kopf4j.Body;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Converts values of objects to the types that handlers ask for. Pure. */
public final class ValueBinding {
    private ValueBinding() {}

    /**
     * Binds a value, unless it has the type already.
     *
     * @param value a value as views return it, or a view; null stays null
     * @param title the name of the value, for the message
     * @throws BindingException if it does not fit
     */
    public static @Nullable Object bind(@Nullable Object value, Type type, Supplier<String> title) {
        boolean asItIs = saysNothingOfItsContent(type);
        if (value == null || (asItIs && raw(type).isInstance(value))) {
            return value;
        }
        if (type == Body.class && value instanceof JsonView view) {
            return new BodyView(view.node());
        }
        if (value instanceof View view) {
            return asItIs && raw(type) == Map.class ? view.toMap() : view.as(TypeRef.of(type));
        }
        return ModelBinding.bind(ModelBinding.json(value), type, FieldPath.ROOT, title);
    }

    /** True for {@code Map<String, Object>} and {@code List<?>}, but not for {@code List<Port>}. */
    private static boolean saysNothingOfItsContent(Type type) {
        if (!(type instanceof ParameterizedType generic)) {
            return true;
        }
        Type[] arguments = generic.getActualTypeArguments();
        boolean textKeys = raw(type) == Map.class && arguments[0] == String.class;
        return Arrays.stream(arguments).skip(textKeys ? 1 : 0).allMatch(each -> raw(each) == Object.class);
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType());
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
            default -> Object.class;
        };
    }
}
