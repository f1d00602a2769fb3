package dev.kopf4j.engine.injection;

import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Meta;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Decides what the parameters of handler methods get: by type where the type says it, by name for common types. Pure.
 */
public final class ParameterBinders {
    private static final Map<Class<?>, ParameterBinder> BY_TYPE = Map.ofEntries(
            Map.entry(HandlerContext.class, context -> context),
            Map.entry(Body.class, HandlerContext::body),
            Map.entry(Spec.class, HandlerContext::spec),
            Map.entry(Status.class, HandlerContext::status),
            Map.entry(Meta.class, HandlerContext::meta),
            Map.entry(Patch.class, HandlerContext::patch),
            Map.entry(Resource.class, HandlerContext::resource),
            Map.entry(Reason.class, HandlerContext::reason),
            Map.entry(Logger.class, HandlerContext::logger));

    private static final Map<String, Function<HandlerContext, @Nullable String>> TEXTS = Map.of(
            "name", HandlerContext::name,
            "namespace", HandlerContext::namespace,
            "uid", HandlerContext::uid,
            "id", HandlerContext::handlerId);

    private static final Map<String, Function<HandlerContext, View>> STANZAS = Map.of(
            "body", HandlerContext::body,
            "spec", HandlerContext::spec,
            "status", HandlerContext::status,
            "meta", HandlerContext::meta);

    private static final String POSSIBLE = """
            possible are, by type: HandlerContext, Body, Spec, Status, Meta, Patch, Diff, SubHandlers, Resource, Reason, Logger, Memo or the class \
            that was given to OperatorBuilder.memo, Stopped (in daemons and timers), Index<K, V> with the index's id as its name or by @IndexId, a model or client of an integration such as KubernetesClient; by name: String name, namespace, uid, id, type (in event handlers); \
            Map<String, String> labels, annotations; int retry; Instant started; Duration runtime; any type for spec, status, \
            meta, body, oldValue, newValue, param; any type with @Field("spec.path")\
            """;

    private final Method method;
    private final HandlerKind kind;
    private final MemoAndIndexBinders memory;

    public ParameterBinders(Method method, HandlerKind kind, InjectableTypes injectableTypes) {
        this.method = method;
        this.kind = kind;
        this.memory = new MemoAndIndexBinders(method, injectableTypes);
    }

    /** The binder of a parameter. */
    public ParameterBinder of(Parameter parameter) {
        Field field = parameter.getAnnotation(Field.class);
        if (field != null) {
            return field(field.value(), parameter);
        }
        return byType(parameter)
                .or(() -> byName(parameter))
                .or(() -> byIntegration(parameter.getType()))
                .orElseThrow(() -> unknown(parameter));
    }

    private Optional<ParameterBinder> byType(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == OperatorSettings.class) {
            throw mistake(
                    parameter,
                    "settings cannot be given to handlers of objects, as they are read when the operator"
                            + " starts; change them through OperatorBuilder.settings");
        }
        if (type == Diff.class) {
            return Optional.of(ofChange(parameter, HandlerContext::diff));
        }
        if (type == SubHandlers.class) {
            return Optional.of(ofChange(parameter, HandlerContext::subHandlers));
        }
        if (type == Stopped.class) {
            return Optional.of(stopped(parameter));
        }
        if (type == Patch.class && kind == HandlerKind.INDEX) {
            throw mistake(
                    parameter,
                    "index functions change nothing in the object; do it in @OnEvent or in a handler of changes");
        }
        return Optional.ofNullable(BY_TYPE.get(type))
                .or(() -> memory.of(parameter).map(found -> found::apply));
    }

    private Optional<ParameterBinder> byName(Parameter parameter) {
        if (!parameter.isNamePresent()) {
            return Optional.empty();
        }
        String name = parameter.getName();
        Class<?> type = parameter.getType();
        if (STANZAS.containsKey(name)) {
            return Optional.of(stanza(STANZAS.get(name), parameter));
        }
        ParameterBinder found = switch (name) {
            case "oldValue" -> ofChange(parameter, context -> convert(context, context.oldValue(), parameter));
            case "newValue" -> ofChange(parameter, context -> convert(context, context.newValue(), parameter));
            case "old" -> throw mistake(parameter, "it is called oldValue, beside newValue: rename the parameter");
            case "param" -> HandlerContext::param;
            case "labels" -> type == Map.class ? HandlerContext::labels : null;
            case "annotations" -> type == Map.class ? HandlerContext::annotations : null;
            case "retry" -> type == int.class || type == Integer.class ? HandlerContext::retry : null;
            case "started" -> type == Instant.class ? HandlerContext::started : null;
            case "runtime" -> type == Duration.class ? HandlerContext::runtime : null;
            case "type" -> type == String.class ? eventType(parameter) : null;
            default -> text(name, type);
        };
        return Optional.ofNullable(found);
    }

    private static @Nullable ParameterBinder text(String name, Class<?> type) {
        Function<HandlerContext, @Nullable String> text = TEXTS.get(name);
        if (text == null) {
            return null;
        }
        if (type == String.class) {
            return text::apply;
        }
        return type == Optional.class ? context -> Optional.ofNullable(text.apply(context)) : null;
    }

    private ParameterBinder eventType(Parameter parameter) {
        if (kind != HandlerKind.EVENT) {
            throw mistake(parameter, "only event handlers have an event type; take Reason to learn what happened");
        }
        return context -> context.eventType().orElse(null);
    }

    private static ParameterBinder stanza(Function<HandlerContext, View> stanza, Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type.isAssignableFrom(View.class) || type == Map.class) {
            return type == Map.class ? context -> stanza.apply(context).toMap() : stanza::apply;
        }
        return context -> stanza.apply(context).as(parameter.getParameterizedType());
    }

    private ParameterBinder stopped(Parameter parameter) {
        if (!kind.isBackground()) {
            throw mistake(parameter, "only daemons and timers are asked to stop; use @OnDaemon or @OnTimer");
        }
        return HandlerContext::stopped;
    }

    private ParameterBinder ofChange(Parameter parameter, ParameterBinder parameterBinder) {
        if (kind == HandlerKind.INDEX) {
            throw mistake(parameter, "index functions know of no change: they are given each state of the object");
        }
        if (kind.isBackground()) {
            throw mistake(
                    parameter,
                    "daemons and timers run whether something changes or not, and know of no change; use @OnUpdate or"
                            + " @OnField");
        }
        if (kind == HandlerKind.EVENT) {
            throw mistake(parameter, "event handlers know of no change; use @OnUpdate or @OnField");
        }
        return parameterBinder;
    }

    private static @Nullable Object convert(HandlerContext context, @Nullable Object value, Parameter parameter) {
        if (value == null || parameter.getType().isInstance(value)) {
            return value;
        }
        return value instanceof View view && parameter.getType() == Map.class
                ? view.toMap()
                : ParameterConversion.convert(context, value, parameter);
    }

    private static ParameterBinder field(String path, Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == Optional.class) {
            return context -> context.body().get(path);
        }
        if (type.isPrimitive()) {
            return context -> ParameterConversion.convert(
                    context,
                    context.body().get(path).orElseThrow(() -> ParameterConversion.absent(path, parameter)),
                    parameter);
        }
        return context -> context.body()
                .get(path)
                .map(value -> ParameterConversion.convert(context, value, parameter))
                .orElse(null);
    }

    private static Optional<ParameterBinder> byIntegration(Class<?> type) {
        if (IntegrationLookup.forModelType(type).isPresent()) {
            return Optional.of(context -> context.body().as(type));
        }
        if (IntegrationLookup.forServiceType(type).isPresent()) {
            return Optional.of(context -> context.service(type));
        }
        return Optional.empty();
    }

    private HandlerDeclarationException unknown(Parameter parameter) {
        if (!parameter.isNamePresent()) {
            return mistake(
                    parameter,
                    "its name is not known, as the class was compiled without -parameters: add that option to javac; "
                            + POSSIBLE);
        }
        return mistake(parameter, "it is not known what to give to it; " + POSSIBLE);
    }

    private HandlerDeclarationException mistake(Parameter parameter, String problem) {
        return new HandlerDeclarationException(HandlerMethods.describe(method, parameter) + ": " + problem);
    }
}
