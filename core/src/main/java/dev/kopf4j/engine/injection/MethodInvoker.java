package dev.kopf4j.engine.injection;

import dev.kopf4j.CustomObject;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.injection.ParameterBinders.ParameterBinder;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.object.ValueBinding;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls an annotated method by reflection. Thread-safe, as far as the user's class is. */
public final class MethodInvoker implements Handler {
    private final Supplier<@Nullable Object> owner;
    private final Method method;
    private final List<ParameterBinder> binders;

    private MethodInvoker(Supplier<@Nullable Object> owner, Method method, List<ParameterBinder> binders) {
        this.owner = owner;
        this.method = method;
        this.binders = binders;
    }

    /**
     * An invoker of the method.
     *
     * @param owner gives at each call the instance whose method it is; null for static ones
     * @param arguments what it can be given
     * @throws HandlerDeclarationException if a parameter is unknown, or the method cannot be reached
     */
    public static MethodInvoker of(Supplier<@Nullable Object> owner, Method method, HandlerArguments arguments) {
        ParameterBinders parameters = new ParameterBinders(method, arguments);
        List<ParameterBinder> binders = HandlerMethods.collect(List.of(method.getParameters()), parameters::of);
        open(method);
        return new MethodInvoker(owner, method, binders);
    }

    /** A method that tests a value of an object. Thread-safe, as far as the user's class is. */
    @FunctionalInterface
    public interface ValueTest {
        /** Calls it; what it has returned. */
        @Nullable Object test(@Nullable Object value, HandlerContext context) throws Exception;
    }

    /**
     * An invoker of a method that takes a value first, in its own type, then what can be injected.
     *
     * @param owner gives at each call the instance whose method it is; null for static ones
     * @param arguments what it can be given
     * @throws HandlerDeclarationException if it does not take the value, or a parameter is unknown
     */
    public static ValueTest valueTest(Supplier<@Nullable Object> owner, Method method, HandlerArguments arguments) {
        if (method.getParameterCount() == 0) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " has no parameter for the value; it comes first");
        }
        if (method.getParameterTypes()[0].isPrimitive()) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " takes the value as a primitive, but the value is null where the field is absent; use a boxed"
                    + " type, such as Integer");
        }
        open(method);
        Type type = arguments.typeOf(method, method.getParameters()[0]);
        ParameterBinders binders = new ParameterBinders(method, arguments);
        List<ParameterBinder> others =
                Arrays.stream(method.getParameters()).skip(1).map(binders::of).toList();
        return (value, context) -> {
            @Nullable Object[] values = new Object[others.size() + 1];
            values[0] = ValueBinding.bind(
                    value,
                    type,
                    () -> "the filtered value of " + context.body().kind() + " "
                            + context.body().meta().name());
            for (int i = 0; i < others.size(); i++) {
                values[i + 1] = others.get(i).bind(context);
            }
            return call(owner.get(), method, values);
        };
    }

    /**
     * Makes the method callable, even if it is private.
     *
     * @throws HandlerDeclarationException if its module forbids it
     */
    public static void open(Method method) {
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            Class<?> owner = method.getDeclaringClass();
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " cannot be called: add 'opens " + owner.getPackageName()
                            + " to dev.kopf4j.core;' to the module-info of " + owner.getModule(),
                    e);
        }
    }

    @Override
    public @Nullable Object handle(HandlerContext context) throws Exception {
        return call(
                owner.get(),
                method,
                binders.stream()
                        .map(parameterBinder -> parameterBinder.bind(context))
                        .toArray());
    }

    /**
     * Calls a method that was {@link #open opened}.
     *
     * @param instance whose method it is; null for static ones
     * @return what it has returned
     * @throws Exception what it has thrown
     */
    @SuppressWarnings("NullAway") // reflection takes null for a static method's instance
    public static @Nullable Object call(@Nullable Object instance, Method method, @Nullable Object... arguments)
            throws Exception {
        try {
            return method.invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            throw switch (e.getCause()) {
                case Exception exception -> exception;
                case Error error -> throw error;
                case null -> e;
                case Throwable other -> new UndeclaredThrowableException(other, other.toString());
            };
        }
    }

    /**
     * What the methods of one handler can be given. Immutable.
     *
     * @param owner the class that is registered
     * @param kind what the handler is called for
     * @param param the value for parameters of the name {@code param}; null if none was given
     * @param paramOfCall true if that value is known at each call only, and the other one means nothing
     * @param injectableTypes what is special to the operator
     */
    public record HandlerArguments(
            Class<?> owner,
            HandlerKind kind,
            @Nullable Object param,
            boolean paramOfCall,
            InjectableTypes injectableTypes) {
        /** Those of a handler whose value for {@code param} comes with each call. */
        public static HandlerArguments withParamOfCall(
                Class<?> owner, HandlerKind kind, InjectableTypes injectableTypes) {
            return new HandlerArguments(owner, kind, null, true, injectableTypes);
        }

        /**
         * The type that a parameter has in the class, for values of it that are read.
         *
         * @throws HandlerDeclarationException if they would be read in another form than its annotations say
         */
        Type typeOf(Method method, Parameter parameter) {
            Type type = HandlerMethods.typeOf(owner, method, parameter);
            parts(type)
                    .flatMap(each -> ModelBinding.misreading(each).stream())
                    .findFirst()
                    .ifPresent(problem -> {
                        throw HandlerMethods.mistake(method, parameter, problem);
                    });
            return type;
        }

        /** The spec and the status, of a whole object of both. */
        private static Stream<Type> parts(Type type) {
            return type instanceof ParameterizedType generic && generic.getRawType() == CustomObject.class
                    ? Arrays.stream(generic.getActualTypeArguments())
                    : Stream.of(type);
        }
    }
}
