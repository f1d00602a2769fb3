package dev.kopf4j.engine.registration;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnConvert;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.MethodInvoker;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A method that converts, with one of its annotations. Immutable.
 *
 * @param method the method
 * @param annotation what it converts
 */
record ConversionMethod(Method method, OnConvert annotation) {
    private static final String FORM = "write it as V2Spec up(V1Spec spec), as V2Status up(V1Status status), or as"
            + " Map<String, Object> up(Body body)";

    private static final Map<Class<?>, ConversionFunction.Part> TYPES = Map.of(
            Spec.class,
            ConversionFunction.Part.SPEC,
            Status.class,
            ConversionFunction.Part.STATUS,
            Body.class,
            ConversionFunction.Part.BODY);

    /**
     * The function.
     *
     * @param instance whose method it is
     * @throws HandlerDeclarationException if the method does not have the form of a conversion
     */
    ConversionFunction of(HandlerInstance instance) {
        Parameter[] parameters = method.getParameters();
        if (parameters.length == 0 || parameters.length > 2) {
            throw mistake("it has " + parameters.length + " parameters; " + FORM);
        }
        if (parameters.length == 2 && parameters[1].getType() != Body.class) {
            throw mistake("its second parameter can be the whole object only, of the type Body; " + FORM);
        }
        if (method.getReturnType() == void.class || method.getReturnType() == Void.class) {
            throw mistake("it returns nothing; " + FORM);
        }
        MethodInvoker.open(method);
        return new ConversionFunction(
                annotation.value(),
                annotation.from(),
                annotation.to(),
                part(parameters[0]),
                parameters[0].getParameterizedType(),
                annotation.dropUnknown(),
                HandlerMethods.describe(method),
                invoker(instance.of(method), parameters.length == 2));
    }

    private ConversionFunction.Part part(Parameter parameter) {
        ConversionFunction.Part byType = TYPES.get(parameter.getType());
        if (byType != null) {
            return byType;
        }
        Optional<ConversionFunction.Part> byName = Arrays.stream(ConversionFunction.Part.values())
                .filter(each -> parameter.isNamePresent() && each.key().equals(parameter.getName()))
                .findFirst();
        return byName.orElseThrow(() -> mistake(
                parameter.isNamePresent()
                        ? "its first parameter is called '" + parameter.getName()
                                + "'; call it spec, status or body, which says what is converted"
                        : "the names of its parameters are unknown; compile it with -parameters"));
    }

    private ConversionFunction.Invoker invoker(@Nullable Object owner, boolean takesBody) {
        return takesBody
                ? (part, body) -> MethodInvoker.call(owner, method, part, body)
                : (part, body) -> MethodInvoker.call(owner, method, part);
    }

    private HandlerDeclarationException mistake(String problem) {
        return new HandlerDeclarationException("@OnConvert on " + HandlerMethods.describe(method) + ": " + problem);
    }
}
