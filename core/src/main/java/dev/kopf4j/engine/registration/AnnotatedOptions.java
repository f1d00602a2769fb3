package dev.kopf4j.engine.registration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.DeclaredOptions.Annotated;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options that an annotation gives, of whatever kind it is: each attribute fills the option of its name.
 * Pure.
 *
 * @param attributes the annotation
 * @param methods finds the methods that it names
 */
record AnnotatedOptions(AnnotationAttributes attributes, NamedMethods methods) {
    /** All options but the resources of children. */
    Annotated read() {
        Annotated options = retries(attributes);
        filters(options);
        flag("optional", options::optional);
        flag("deleted", options::deleted);
        background(options);
        admission(options);
        children(options);
        return options;
    }

    /** Those options that the handlers of activities have, too. */
    static Annotated retries(AnnotationAttributes attributes) {
        Annotated options = new Annotated();
        if (attributes.value("errors") instanceof ErrorsMode mode) {
            options.errors(mode);
        }
        attributes.ifGiven("timeout", options::timeout);
        attributes.ifGiven("backoff", options::backoff);
        int retries = attributes.number("retries", -1);
        if (retries != -1) {
            options.retries(retries);
        }
        return options;
    }

    private void filters(Annotated options) {
        options.labels(attributes.texts("labels"));
        tests("labelWhen", options::label);
        options.annotations(attributes.texts("annotations"));
        tests("annotationWhen", options::annotation);
        for (String name : attributes.texts("when")) {
            options.when(methods.condition(name));
        }
        String[] keys = attributes.texts("field");
        options.field(List.of(keys.length == 1 ? keys[0].split("\\.", -1) : keys));
        options.values(value("fieldValue"), value("oldValue"), value("newValue"));
    }

    /** Written as {@code key=method}. */
    private void tests(String name, BiConsumer<String, BiPredicate<@Nullable Object, HandlerContext>> option) {
        for (String text : attributes.texts(name)) {
            int equals = text.indexOf('=');
            if (equals <= 0 || equals == text.length() - 1) {
                throw new HandlerDeclarationException(
                        name + " is '" + text + "'; write the key and the name of a method, as in \"app=isWeb\"");
            }
            option.accept(text.substring(0, equals), methods.valueTest(text.substring(equals + 1)));
        }
    }

    private @Nullable ValueFilter value(String name) {
        String text = attributes.text(name);
        String json = attributes.text(name + "Json");
        String when = attributes.text(name + "When");
        boolean given = attributes.value(name) != null && !text.equals(Filter.ANYTHING);
        if ((given ? 1 : 0) + (json.isEmpty() ? 0 : 1) + (when.isEmpty() ? 0 : 1) > 1) {
            throw new HandlerDeclarationException("give one of " + name + ", " + name + "Json, " + name + "When");
        }
        if (!json.isEmpty()) {
            return ofJson(name, json);
        }
        if (!when.isEmpty()) {
            return new ValueFilter.Callback(methods.valueTest(when));
        }
        return given ? ValueFilter.of(text, name) : null;
    }

    private static ValueFilter ofJson(String name, String json) {
        try {
            return new ValueFilter.Literal(Json.parse(json));
        } catch (JsonConversionException e) {
            throw new HandlerDeclarationException(name + "Json is not JSON: '" + json + "': " + e.getMessage(), e);
        }
    }

    private void background(Annotated options) {
        Duration delay = attributes.duration("initialDelay");
        String method = attributes.text("initialDelayBy");
        if (delay != null && !method.isEmpty()) {
            throw new HandlerDeclarationException("give either initialDelay or initialDelayBy, not both");
        }
        if (delay != null) {
            options.initialDelay(delay);
        }
        text("initialDelayBy", name -> options.initialDelay(methods.delay(name)));
        attributes.ifGiven("interval", options::interval);
        flag("sharp", options::sharp);
        attributes.ifGiven("idle", options::idle);
        attributes.ifGiven("cancellationBackoff", options::cancellationBackoff);
        attributes.ifGiven("cancellationTimeout", options::cancellationTimeout);
        attributes.ifGiven("cancellationPolling", options::cancellationPolling);
    }

    private void admission(Annotated options) {
        if (attributes.value("operations") instanceof AdmissionOperation[] operations) {
            options.operations(operations);
        }
        text("subresource", options::subresource);
        flag("persistent", options::persistent);
        flag("sideEffects", options::sideEffects);
        flag("ignoreFailures", options::ignoreFailures);
        options.namespaceSelector(attributes.texts("namespaceSelector"));
        options.matchConditions(attributes.texts("matchConditions"));
        if (attributes.value("matchPolicy") instanceof MatchPolicy policy) {
            options.matchPolicy(policy);
        }
        options.timeoutSeconds(attributes.number("timeoutSeconds", DeclaredOptions.DEFAULT_TIMEOUT_SECONDS));
        if (attributes.value("reinvocationPolicy") instanceof ReinvocationPolicy policy) {
            options.reinvocationPolicy(policy);
        }
    }

    private void children(Annotated options) {
        options.children(attributes.texts("children"));
        flag("force", options::force);
        flag("adopt", options::adopt);
        flag("ordered", options::ordered);
        options.bodies(attributes.flag("bodies"));
        text("condition", options::condition);
        text("parentLabel", options::parentLabel);
        text("parentBy", name -> options.parent(methods.parent(name)));
    }

    private void flag(String name, Runnable option) {
        if (attributes.flag(name)) {
            option.run();
        }
    }

    private void text(String name, Consumer<String> option) {
        String text = attributes.text(name);
        if (!text.isEmpty()) {
            option.accept(text);
        }
    }
}
