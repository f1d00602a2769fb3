package dev.kopf4j.engine.injection;

import dev.kopf4j.ActivityContext;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.HandlerDeclarationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls an annotated method of an activity by reflection. Thread-safe, as far as the user's class is. */
public final class ActivityMethodInvoker implements ActivityHandler {
    private final @Nullable Object instance;
    private final Method method;
    private final List<Function<ActivityContext, @Nullable Object>> binders;

    private ActivityMethodInvoker(
            @Nullable Object instance, Method method, List<Function<ActivityContext, @Nullable Object>> binders) {
        this.instance = instance;
        this.method = method;
        this.binders = binders;
    }

    /**
     * An invoker of the method.
     *
     * @param instance whose method it is; null for static ones
     * @param arguments what it can be given
     * @throws HandlerDeclarationException if a parameter is unknown, or the method cannot be reached
     */
    public static ActivityMethodInvoker of(@Nullable Object instance, Method method, ActivityArguments arguments) {
        ActivityParameterBinders binders = new ActivityParameterBinders(method, arguments);
        MethodInvoker.open(method);
        return new ActivityMethodInvoker(
                instance, method, DeclarationMistakes.collect(List.of(method.getParameters()), binders::of));
    }

    @Override
    public @Nullable Object handle(ActivityContext context) throws Exception {
        return MethodInvoker.call(
                instance,
                method,
                binders.stream().map(binder -> binder.apply(context)).toArray());
    }
}
