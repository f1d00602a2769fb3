package dev.kopf4j.engine.injection;

import dev.kopf4j.Annotation;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.Label;
import dev.kopf4j.OutcomeOf;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What parameters of handler methods get where an annotation says it. Pure.
 *
 * @param method whose parameters they are, for messages
 */
record AnnotatedParameters(Method method) {
    /** What the parameter gets; null if no annotation says it. */
    @Nullable ParameterBinder of(Parameter parameter) {
        Field field = parameter.getAnnotation(Field.class);
        if (field != null) {
            return ofField(parameter, field.value());
        }
        Label label = parameter.getAnnotation(Label.class);
        if (label != null) {
            String key = key(parameter, "@Label", label.value());
            return new ValueParameter(
                    parameter, "label " + key, context -> context.labels().get(key));
        }
        Annotation annotation = parameter.getAnnotation(Annotation.class);
        if (annotation != null) {
            String key = key(parameter, "@Annotation", annotation.value());
            return new ValueParameter(
                    parameter,
                    "annotation " + key,
                    context -> context.annotations().get(key));
        }
        return ofOutcome(parameter);
    }

    private ParameterBinder ofField(Parameter parameter, String[] given) {
        List<String> keys = List.of(given.length == 1 ? given[0].split("\\.", -1) : given);
        if (keys.isEmpty() || keys.contains("")) {
            throw HandlerMethods.mistake(method, parameter, "@Field names no field; write for example \"spec.size\"");
        }
        return new ValueParameter(
                parameter,
                "field " + String.join(".", keys),
                context -> context.body().get(keys).orElse(null));
    }

    private @Nullable ParameterBinder ofOutcome(Parameter parameter) {
        OutcomeOf outcome = parameter.getAnnotation(OutcomeOf.class);
        boolean typed = parameter.getType() == HandlerOutcome.class;
        if (outcome == null && !typed) {
            return null;
        }
        if (outcome == null || !typed) {
            throw HandlerMethods.mistake(
                    method, parameter, "write @OutcomeOf(\"id of a handler\") HandlerOutcome " + parameter.getName());
        }
        String id = key(parameter, "@OutcomeOf", outcome.value());
        return context -> context.outcome(id);
    }

    private String key(Parameter parameter, String annotation, String given) {
        if (given.isBlank()) {
            throw HandlerMethods.mistake(
                    method,
                    parameter,
                    annotation + " is empty; write for example " + annotation + "(\""
                            + (annotation.equals("@OutcomeOf") ? "createFn" : "example.com/tier") + "\")");
        }
        return given;
    }
}
