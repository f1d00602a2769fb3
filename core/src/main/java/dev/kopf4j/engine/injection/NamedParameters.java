package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Meta;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.View;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.engine.injection.ParameterBinders.ParameterBinder;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what parameters of handler methods get by their names, if their types are common ones or the user's own.
 * Pure.
 *
 * @param method whose parameters they are, for messages
 * @param arguments what the method can be given
 * @param typed knows what the kind of handler refuses
 */
record NamedParameters(Method method, HandlerArguments arguments, TypedParameters typed) {
    /** The names that mean something. */
    static final List<String> NAMES = List.of(
            "name",
            "namespace",
            "uid",
            "id",
            "body",
            "spec",
            "status",
            "meta",
            "oldValue",
            "newValue",
            "param",
            "labels",
            "annotations",
            "retry",
            "started",
            "runtime",
            "dryRun",
            "subresource",
            "headers");

    private static final Map<String, Function<HandlerContext, @Nullable String>> TEXTS = Map.of(
            "name", HandlerContext::name,
            "namespace", context -> context.namespace().orElse(null),
            "uid", HandlerContext::uid,
            "id", HandlerContext::handlerId);

    private static final Map<String, Function<HandlerContext, View>> STANZAS = Map.of(
            "body", HandlerContext::body,
            "spec", HandlerContext::spec,
            "status", HandlerContext::status,
            "meta", HandlerContext::meta);

    /**
     * What a parameter for the value before or after a change gets, whose type is not that of the object as it is; null
     * if it is none.
     *
     * @throws HandlerDeclarationException if such a handler cannot have it, or not in that type
     */
    @Nullable ParameterBinder ofOldOrNew(Parameter parameter) {
        boolean meant = parameter.isNamePresent()
                && (parameter.getName().equals("oldValue")
                        || parameter.getName().equals("newValue"));
        return meant ? oldOrNew(parameter) : null;
    }

    /**
     * What a parameter for the child gets; null if it is none.
     *
     * @throws HandlerDeclarationException if such a handler cannot have it
     */
    @Nullable ParameterBinder ofChild(Parameter parameter) {
        boolean meant = parameter.isNamePresent() && parameter.getName().equals("child");
        return meant ? typed.ofChild(parameter, new ValueParameter(parameter, "child", HandlerContext::child)) : null;
    }

    private ParameterBinder oldOrNew(Parameter parameter) {
        String name = parameter.getName();
        Class<?> type = parameter.getType();
        if (type == Spec.class || type == Status.class || type == Meta.class) {
            throw HandlerMethods.mistake(
                    method,
                    parameter,
                    "it is a whole object, or the value of the field: take View, or a type of your own");
        }
        return typed.ofChange(
                parameter,
                new ValueParameter(
                        parameter,
                        name,
                        name.equals("oldValue") ? HandlerContext::oldValue : HandlerContext::newValue));
    }

    /**
     * What the parameter gets; null if its name does not say it.
     *
     * @throws HandlerDeclarationException if such a handler cannot have it
     */
    @Nullable ParameterBinder of(Parameter parameter) {
        if (!parameter.isNamePresent()) {
            return null;
        }
        String name = parameter.getName();
        Class<?> type = parameter.getType();
        if (STANZAS.containsKey(name)) {
            return new ValueParameter(parameter, name, STANZAS.get(name)::apply);
        }
        return switch (name) {
            case "old" ->
                throw HandlerMethods.mistake(
                        method, parameter, "it is called oldValue, beside newValue: rename the parameter");
            case "param" -> param(parameter);
            case "labels" -> type == Map.class ? HandlerContext::labels : null;
            case "annotations" -> type == Map.class ? HandlerContext::annotations : null;
            case "retry" -> type == int.class || type == Integer.class ? HandlerContext::retry : null;
            case "started" -> type == Instant.class ? HandlerContext::started : null;
            case "runtime" -> type == Duration.class ? HandlerContext::runtime : null;
            case "dryRun" ->
                type == boolean.class || type == Boolean.class
                        ? typed.ofAdmission(
                                parameter, context -> context.admission().isDryRun())
                        : null;
            case "subresource" -> subresource(parameter);
            case "headers" ->
                type == Map.class
                        ? typed.ofAdmission(
                                parameter,
                                context -> context.admission().headers().toMap())
                        : null;
            case "type" -> type == String.class ? eventTypeAsText(parameter) : null;
            default -> text(name, type);
        };
    }

    private ParameterBinder param(Parameter parameter) {
        if (arguments.paramOfCall()) {
            return new ValueParameter(parameter, "param", HandlerContext::param);
        }
        Object value = ValueParameter.ofParam(method, parameter, arguments.param());
        return context -> value;
    }

    private @Nullable ParameterBinder subresource(Parameter parameter) {
        if (parameter.getType() == String.class) {
            return typed.ofAdmission(
                    parameter, context -> context.admission().subresource().orElse(null));
        }
        return parameter.getType() == Optional.class
                ? typed.ofAdmission(parameter, context -> context.admission().subresource())
                : null;
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

    private ParameterBinder eventTypeAsText(Parameter parameter) {
        typed.ofEvent(parameter, HandlerContext::eventType);
        throw HandlerMethods.mistake(method, parameter, "the type of an event is no text: take EventType");
    }
}
