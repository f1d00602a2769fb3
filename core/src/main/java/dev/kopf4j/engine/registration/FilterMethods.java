package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.MethodInvoker;
import dev.kopf4j.engine.injection.ParameterBinder;
import dev.kopf4j.engine.injection.ParameterBinders;
import dev.kopf4j.object.ValueBinding;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The methods of a handler class that its filters name. Immutable. */
final class FilterMethods {
    private final @Nullable Object instance;
    private final Class<?> type;
    private final InjectableTypes injectableTypes;

    FilterMethods(@Nullable Object instance, Class<?> type, InjectableTypes injectableTypes) {
        this.instance = instance;
        this.type = type;
        this.injectableTypes = injectableTypes;
    }

    /** A method with injected parameters that returns a boolean. */
    Predicate<HandlerContext> condition(String name, HandlerKind kind) {
        MethodInvoker invoker = MethodInvoker.of(instance, find(name), kind, injectableTypes);
        return context -> isTrue(name, () -> invoker.invoke(context));
    }

    /** A method whose first parameter is the value, with injected parameters behind it. */
    BiPredicate<@Nullable Object, HandlerContext> valueTest(String name, HandlerKind kind) {
        Method method = find(name);
        if (method.getParameterCount() == 0) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " has no parameter for the value; it comes first");
        }
        if (method.getParameterTypes()[0].isPrimitive()) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " takes the value as a primitive, but the value is null where the field is absent; use a boxed"
                    + " type, such as Integer");
        }
        method.setAccessible(true);
        ParameterBinders binders = new ParameterBinders(method, kind, injectableTypes);
        List<Parameter> parameters = Arrays.asList(method.getParameters());
        List<ParameterBinder> rest =
                parameters.stream().skip(1).map(binders::of).toList();
        return (value, context) -> isTrue(name, () -> invoke(method, parameters.getFirst(), value, rest, context));
    }

    @SuppressWarnings("NullAway") // reflection takes null for a static method's instance
    private @Nullable Object invoke(
            Method method, Parameter first, @Nullable Object value, List<ParameterBinder> rest, HandlerContext context)
            throws Exception {
        List<@Nullable Object> arguments = new ArrayList<>();
        arguments.add(ValueBinding.bind(value, first.getParameterizedType(), () -> "the filtered value"));
        rest.forEach(parameterBinder -> arguments.add(parameterBinder.bind(context)));
        try {
            return method.invoke(instance, arguments.toArray());
        } catch (InvocationTargetException e) {
            throw MethodInvoker.unwrapped(e);
        }
    }

    /** A method with injected parameters that returns a duration. */
    Function<HandlerContext, @Nullable Duration> delay(String name, HandlerKind kind) {
        Method method = findOne(name, "initialDelayBy", "a Duration");
        if (method.getReturnType() != Duration.class) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " is named by initialDelayBy, but returns "
                            + method.getReturnType().getSimpleName() + "; it must return a java.time.Duration");
        }
        MethodInvoker invoker = MethodInvoker.of(instance, method, kind, injectableTypes);
        return context -> (Duration) made(() -> invoker.invoke(context), "the method '" + name + "' of initialDelayBy");
    }

    private Method findOne(String name, String attribute, String result) {
        List<Method> found = HandlerMethods.of(type).stream()
                .filter(method -> method.getName().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new HandlerDeclarationException(attribute + " names the method '" + name + "', of which "
                    + type.getSimpleName() + " has " + found.size() + "; there must be one that returns " + result);
        }
        return found.getFirst();
    }

    private Method find(String name) {
        Method found = findOne(name, "the filter", "a boolean");
        Class<?> returned = found.getReturnType();
        if (returned != boolean.class && returned != Boolean.class) {
            throw new HandlerDeclarationException(HandlerMethods.describe(found) + " is named by a filter, but returns "
                    + returned.getSimpleName() + "; it must return a boolean");
        }
        return found;
    }

    private interface Call {
        @Nullable Object make() throws Exception;
    }

    private static boolean isTrue(String name, Call call) {
        return Boolean.TRUE.equals(made(call, "the filter method '" + name + "'"));
    }

    private static @Nullable Object made(Call call, String what) {
        try {
            return call.make();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(what + " has failed: " + e, e);
        }
    }
}
