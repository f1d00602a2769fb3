package dev.kopf4j.engine.injection;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityContext;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.integration.IntegrationLookup;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Calls an annotated method of an activity by reflection. Thread-safe, as far as the user's class is. */
public final class ActivityMethodInvoker implements ActivityHandler {
    private final Supplier<@Nullable Object> owner;
    private final Method method;
    private final List<Function<ActivityContext, @Nullable Object>> binders;

    private ActivityMethodInvoker(
            Supplier<@Nullable Object> owner,
            Method method,
            List<Function<ActivityContext, @Nullable Object>> binders) {
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
    public static ActivityMethodInvoker of(
            Supplier<@Nullable Object> owner, Method method, ActivityArguments arguments) {
        ActivityParameterBinders binders = new ActivityParameterBinders(method, arguments);
        MethodInvoker.open(method);
        return new ActivityMethodInvoker(
                owner, method, HandlerMethods.collect(List.of(method.getParameters()), binders::of));
    }

    @Override
    public @Nullable Object handle(ActivityContext context) throws Exception {
        return MethodInvoker.call(
                owner.get(),
                method,
                binders.stream().map(binder -> binder.apply(context)).toArray());
    }

    /** Decides what the parameters of an activity's methods get. Pure. */
    private static final class ActivityParameterBinders {
        private static final Map<Class<?>, Function<ActivityContext, @Nullable Object>> BY_TYPE = Map.of(
                ActivityContext.class, context -> context,
                Activity.class, ActivityContext::activity,
                OperatorSettings.class, ActivityContext::settings,
                InstantSource.class, ActivityContext::clock,
                Logger.class, ActivityContext::logger);

        private static final List<String> NAMES = List.of("id", "retry", "started", "runtime", "param");

        private static final String POSSIBLE = """
                possible are, by type: ActivityContext, Activity, OperatorSettings, Logger, InstantSource, Memo or the class that was given to \
                OperatorBuilder.memo, Index<K, V> with the index's id as its name or by @IndexId, Logins (in login handlers), a client of an \
                integration such as KubernetesClient (not in login handlers); by name: String id; int retry; Instant started; \
                Duration runtime; param\
                """;

        private final Method method;
        private final ActivityArguments arguments;
        private final MemoAndIndexBinders memory;

        ActivityParameterBinders(Method method, ActivityArguments arguments) {
            this.method = method;
            this.arguments = arguments;
            this.memory = new MemoAndIndexBinders(method, arguments.injectableTypes());
        }

        Function<ActivityContext, @Nullable Object> of(Parameter parameter) {
            Class<?> type = parameter.getType();
            Function<ActivityContext, @Nullable Object> byType = BY_TYPE.get(type);
            if (byType != null) {
                return byType;
            }
            if (type == Logins.class) {
                return logins(parameter);
            }
            return memory.of(parameter)
                    .<Function<ActivityContext, @Nullable Object>>map(found -> found::apply)
                    .or(() -> byName(parameter))
                    .or(() -> byIntegration(parameter))
                    .orElseThrow(() -> unknown(parameter));
        }

        private Function<ActivityContext, @Nullable Object> logins(Parameter parameter) {
            if (arguments.activity() != Activity.LOGIN) {
                throw mistake(parameter, "only login handlers can log in");
            }
            return ActivityContext::logins;
        }

        private Optional<Function<ActivityContext, @Nullable Object>> byName(Parameter parameter) {
            Class<?> type = parameter.getType();
            if (!parameter.isNamePresent()) {
                return Optional.empty();
            }
            return Optional.ofNullable(
                    switch (parameter.getName()) {
                        case "id" -> type == String.class ? ActivityContext::handlerId : null;
                        case "retry" -> type == int.class || type == Integer.class ? ActivityContext::retry : null;
                        case "started" -> type == Instant.class ? ActivityContext::started : null;
                        case "runtime" -> type == Duration.class ? ActivityContext::runtime : null;
                        case "param" -> param(parameter);
                        default -> null;
                    });
        }

        private Function<ActivityContext, @Nullable Object> param(Parameter parameter) {
            if (arguments.paramOfCall()) {
                return ActivityContext::param;
            }
            Type type = HandlerMethods.typeOf(arguments.owner(), method, parameter);
            Object value = ValueParameter.ofParam(method, parameter, type, arguments.param());
            return context -> value;
        }

        private Optional<Function<ActivityContext, @Nullable Object>> byIntegration(Parameter parameter) {
            Class<?> type = parameter.getType();
            if (IntegrationLookup.forServiceType(type).isEmpty()) {
                return Optional.empty();
            }
            if (arguments.activity() == Activity.LOGIN) {
                throw mistake(parameter, "it needs the credentials that login handlers give");
            }
            return Optional.of(context -> context.service(type));
        }

        private HandlerDeclarationException unknown(Parameter parameter) {
            return HandlerMethods.unknown(method, parameter, NAMES, POSSIBLE);
        }

        private HandlerDeclarationException mistake(Parameter parameter, String problem) {
            return HandlerMethods.mistake(method, parameter, problem);
        }
    }

    /**
     * What the methods of one activity's handler can be given. Immutable.
     *
     * @param owner the class that is registered
     * @param activity what the handler is a part of
     * @param param the value for parameters of the name {@code param}; null if none was given
     * @param paramOfCall true if that value is known at each call only, and the other one means nothing
     * @param injectableTypes what is special to the operator
     */
    public record ActivityArguments(
            Class<?> owner,
            Activity activity,
            @Nullable Object param,
            boolean paramOfCall,
            InjectableTypes injectableTypes) {}
}
