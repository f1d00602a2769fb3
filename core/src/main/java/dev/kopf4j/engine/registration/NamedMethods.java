package dev.kopf4j.engine.registration;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Patch;
import dev.kopf4j.Resource;
import dev.kopf4j.Steps;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.MethodInvoker;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.engine.injection.MethodInvoker.ValueTest;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a handler class that an annotation names: tests and times. Immutable.
 *
 * @param instance whose methods they are
 * @param arguments what they can be given
 */
record NamedMethods(HandlerInstance instance, HandlerArguments arguments) {
    private static final Set<Class<?>> OF_CALLS = Set.of(Patch.class, Steps.class, SubHandlers.class, Stopped.class);

    /** A method with injected parameters that returns a boolean. */
    Predicate<HandlerContext> condition(String name) {
        MethodInvoker invoker = invoker(test(name));
        return context -> isTrue(name, () -> invoker.handle(context));
    }

    /** A method whose first parameter is the value, with injected parameters behind it. */
    BiPredicate<@Nullable Object, HandlerContext> valueTest(String name) {
        Method method = test(name);
        refuseWhatBelongsToCalls(method);
        ValueTest test = MethodInvoker.valueTest(instance.of(method), method, arguments);
        return (value, context) -> isTrue(name, () -> test.test(value, context));
    }

    /** A method that takes a resource, and nothing else. */
    Predicate<Resource> resourceTest(String name) {
        Method method = test(name);
        if (method.getParameterCount() != 1 || method.getParameterTypes()[0] != Resource.class) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " is named by resourceWhen: it must take a Resource, and nothing else");
        }
        MethodInvoker.open(method);
        Supplier<@Nullable Object> owner = instance.forLooks(method);
        return resource -> isTrue(name, () -> MethodInvoker.call(owner.get(), method, resource));
    }

    /** A method with injected parameters that returns a duration. */
    Function<HandlerContext, @Nullable Duration> delay(String name) {
        Method method = HandlerMethods.named(instance.type(), name, "initialDelayBy", "a Duration");
        if (method.getReturnType() != Duration.class) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " is named by initialDelayBy, but returns "
                            + method.getReturnType().getSimpleName() + "; it must return a java.time.Duration");
        }
        MethodInvoker invoker = invoker(method);
        return context -> (Duration) made("the method '" + name + "' of initialDelayBy", () -> invoker.handle(context));
    }

    /** A method that takes a child, and returns the name of its parent. */
    Function<Body, @Nullable String> parent(String name) {
        Method method = HandlerMethods.named(instance.type(), name, "parentBy", "a String");
        boolean fits = method.getParameterCount() == 1
                && method.getParameterTypes()[0] == Body.class
                && method.getReturnType() == String.class;
        if (!fits) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " is named by parentBy: it must take a Body, and nothing else, and return a String");
        }
        MethodInvoker.open(method);
        Supplier<@Nullable Object> owner = instance.of(method);
        return child -> (String)
                made("the method '" + name + "' of parentBy", () -> MethodInvoker.call(owner.get(), method, child));
    }

    private MethodInvoker invoker(Method method) {
        refuseWhatBelongsToCalls(method);
        return MethodInvoker.of(instance.of(method), method, arguments);
    }

    /** It would fail at each object, or what it says would be dropped. */
    private static void refuseWhatBelongsToCalls(Method method) {
        for (Parameter parameter : method.getParameters()) {
            if (OF_CALLS.contains(parameter.getType())) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        "filters and initialDelayBy are asked before the handler is called, and change nothing: they"
                                + " have no patch, steps, sub-handlers or signal to stop; take them in the handler");
            }
        }
    }

    private Method test(String name) {
        Method found = HandlerMethods.named(instance.type(), name, "the filter", "a boolean");
        Class<?> returned = found.getReturnType();
        if (returned != boolean.class && returned != Boolean.class) {
            throw new HandlerDeclarationException(HandlerMethods.describe(found) + " is named by a filter, but returns "
                    + returned.getSimpleName() + "; it must return a boolean");
        }
        return found;
    }

    private static boolean isTrue(String name, Callable<@Nullable Object> call) {
        return Boolean.TRUE.equals(made("the filter method '" + name + "'", call));
    }

    private static @Nullable Object made(String what, Callable<@Nullable Object> call) {
        try {
            return call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(what + " has failed: " + e, e);
        }
    }
}
