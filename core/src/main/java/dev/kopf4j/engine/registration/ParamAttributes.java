package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.MethodInvoker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The value that an annotation gives for the parameter {@code param}: text, or what a method returns. */
final class ParamAttributes {
    private ParamAttributes() {}

    /** The value, for which a method may be called; null if none is given. */
    static @Nullable Object read(AnnotationAttributes attributes, HandlerInstance instance) {
        String text = attributes.text("param");
        String by = attributes.text("paramBy");
        if (!text.isEmpty() && !by.isEmpty()) {
            throw new HandlerDeclarationException("give either param or paramBy, not both");
        }
        if (!by.isEmpty()) {
            return returned(HandlerMethods.named(instance.type(), by, "paramBy", "the value"), instance);
        }
        return text.isEmpty() ? null : text;
    }

    @SuppressWarnings("NullAway") // reflection takes null for a static method's instance
    private static @Nullable Object returned(Method method, HandlerInstance instance) {
        if (method.getParameterCount() > 0 || method.getReturnType() == void.class) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " is named by paramBy: it must have no parameters, and return the value");
        }
        MethodInvoker.open(method);
        try {
            return method.invoke(instance.of(method));
        } catch (InvocationTargetException e) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + ", named by paramBy, has failed: " + e.getCause(), e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot call " + method, e);
        }
    }
}
