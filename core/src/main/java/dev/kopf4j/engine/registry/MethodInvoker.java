package dev.kopf4j.engine.registry;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDefinitionException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.handling.registration.Invoker;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls an annotated method by reflection. Thread-safe, as far as the user's class is. */
final class MethodInvoker implements Invoker {
    private final @Nullable Object instance;
    private final Method method;
    private final List<Binder> binders;

    private MethodInvoker(@Nullable Object instance, Method method, List<Binder> binders) {
        this.instance = instance;
        this.method = method;
        this.binders = binders;
    }

    /**
     * An invoker of the method.
     *
     * @param instance whose method it is; null for static ones
     * @param injectables what parameters can be given besides what all handlers have
     * @throws HandlerDefinitionException if a parameter is unknown, or the method cannot be reached
     */
    static MethodInvoker of(@Nullable Object instance, Method method, HandlerKind kind, Injectables injectables) {
        ParameterBinders parameters = new ParameterBinders(method, kind, injectables);
        List<Binder> binders =
                Arrays.stream(method.getParameters()).map(parameters::of).toList();
        open(method);
        return new MethodInvoker(instance, method, binders);
    }

    /** Makes the method callable, whoever may see it. */
    static void open(Method method) {
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            Class<?> owner = method.getDeclaringClass();
            throw new HandlerDefinitionException(
                    Methods.describe(method) + " cannot be called: add 'opens " + owner.getPackageName()
                            + " to dev.kopf4j.core;' to the module-info of " + owner.getModule(),
                    e);
        }
    }

    @Override
    public @Nullable Object invoke(HandlerContext context) throws Exception {
        return invoke(binders.stream().map(binder -> binder.bind(context)).toArray());
    }

    @SuppressWarnings("NullAway") // reflection takes null for a static method's instance
    private @Nullable Object invoke(@Nullable Object[] arguments) throws Exception {
        try {
            return method.invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            throw unwrapped(e);
        }
    }

    /** What the called method has thrown. */
    static Exception unwrapped(InvocationTargetException e) {
        return switch (e.getCause()) {
            case Exception exception -> exception;
            case Error error -> throw error;
            case null, default -> e;
        };
    }
}
