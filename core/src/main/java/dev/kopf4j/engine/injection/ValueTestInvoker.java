package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.engine.injection.ParameterBinders.ParameterBinder;
import dev.kopf4j.object.ValueBinding;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method that tests a value: it takes the value first, in its own type, then what can be injected. Thread-safe,
 * as far as the user's class is.
 */
public final class ValueTestInvoker {
    private final Supplier<@Nullable Object> owner;
    private final Method method;
    private final Parameter first;
    private final List<ParameterBinder> others;

    private ValueTestInvoker(
            Supplier<@Nullable Object> owner, Method method, Parameter first, List<ParameterBinder> others) {
        this.owner = owner;
        this.method = method;
        this.first = first;
        this.others = others;
    }

    /**
     * An invoker of the method.
     *
     * @param owner gives at each call the instance whose method it is; null for static ones
     * @param arguments what it can be given
     * @throws HandlerDeclarationException if it does not take the value, or a parameter is unknown
     */
    public static ValueTestInvoker of(Supplier<@Nullable Object> owner, Method method, HandlerArguments arguments) {
        if (method.getParameterCount() == 0) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " has no parameter for the value; it comes first");
        }
        if (method.getParameterTypes()[0].isPrimitive()) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + " takes the value as a primitive, but the value is null where the field is absent; use a boxed"
                    + " type, such as Integer");
        }
        MethodInvoker.open(method);
        ParameterBinders binders = new ParameterBinders(method, arguments);
        List<Parameter> parameters = Arrays.asList(method.getParameters());
        return new ValueTestInvoker(
                owner,
                method,
                parameters.getFirst(),
                parameters.stream().skip(1).map(binders::of).toList());
    }

    /**
     * Calls the method.
     *
     * @return what it has returned
     * @throws Exception what it has thrown
     */
    public @Nullable Object invoke(@Nullable Object value, HandlerContext context) throws Exception {
        @Nullable Object[] values = new Object[others.size() + 1];
        values[0] = ValueBinding.bind(value, first.getParameterizedType(), () -> "the filtered value");
        for (int i = 0; i < others.size(); i++) {
            values[i + 1] = others.get(i).bind(context);
        }
        return MethodInvoker.call(owner.get(), method, values);
    }
}
