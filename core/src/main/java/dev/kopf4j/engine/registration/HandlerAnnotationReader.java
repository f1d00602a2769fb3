package dev.kopf4j.engine.registration;

import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.FilterDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.engine.handling.declaration.ValueFilter;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns one annotation of one method into its declaration. Pure. */
final class HandlerAnnotationReader {
    private final HandlerKind kind;
    private final AnnotationAttributes annotationAttributes;
    private final String where;
    private final FilterMethods methods;

    /**
     * A reader of one annotation.
     *
     * @param where the method, for messages
     * @param methods finds the methods that filters name
     */
    HandlerAnnotationReader(
            HandlerKind kind, AnnotationAttributes annotationAttributes, String where, FilterMethods methods) {
        this.kind = kind;
        this.annotationAttributes = annotationAttributes;
        this.where = where;
        this.methods = methods;
    }

    HandlerDeclaration read() {
        try {
            String id = annotationAttributes.text("id");
            String param = annotationAttributes.text("param");
            return new HandlerDeclaration(
                    kind,
                    selector(),
                    id.isEmpty() ? null : id,
                    param.isEmpty() ? null : param,
                    annotationAttributes.retry(),
                    filters(),
                    annotationAttributes.flag("optional"),
                    annotationAttributes.flag("deleted"),
                    background());
        } catch (HandlerDeclarationException e) {
            throw new HandlerDeclarationException(annotationAttributes + " on " + where + ": " + e.getMessage(), e);
        }
    }

    private FilterDeclaration filters() {
        return new FilterDeclaration(
                MetadataFilter.parseSelector(annotationAttributes.text("labels")),
                Arrays.stream(annotationAttributes.texts("annotations"))
                        .map(MetadataFilter::parseAnnotation)
                        .toList(),
                when(),
                field(),
                valueFilter("fieldValue"),
                valueFilter("oldValue"),
                valueFilter("newValue"));
    }

    private BackgroundDeclaration background() {
        return new BackgroundDeclaration(
                initialDelay(),
                annotationAttributes.duration("interval"),
                annotationAttributes.flag("sharp"),
                annotationAttributes.duration("idle"),
                annotationAttributes.duration("cancellationBackoff"),
                annotationAttributes.duration("cancellationTimeout"),
                annotationAttributes.duration("cancellationPolling"));
    }

    private @Nullable InitialDelay initialDelay() {
        Duration fixed = annotationAttributes.duration("initialDelay");
        String method = annotationAttributes.text("initialDelayBy");
        if (fixed != null && !method.isEmpty()) {
            throw new HandlerDeclarationException("give either initialDelay or initialDelayBy, not both");
        }
        if (!method.isEmpty()) {
            return new InitialDelay.Computed(methods.delay(method, kind));
        }
        return fixed == null ? null : new InitialDelay.Fixed(fixed);
    }

    private ResourceSelector selector() {
        String[] parts = annotationAttributes.texts("value");
        @Nullable Class<?> model = annotationAttributes.type("model").orElse(null);
        if (model != null) {
            return modelSelector(model, parts);
        }
        ResourceSelector positional = parts.length == 0 ? null : ResourceSelector.of(parts);
        return new ResourceSelector(
                either("group", positional == null ? null : positional.group()),
                either("version", positional == null ? null : positional.version()),
                given("kind"),
                given("plural"),
                given("singular"),
                given("shortName"),
                given("category"),
                positional == null ? null : positional.anyName(),
                null);
    }

    private static ResourceSelector modelSelector(Class<?> model, String[] parts) {
        if (parts.length > 0) {
            throw new HandlerDeclarationException(
                    "give either a name or a model, not both: " + Arrays.toString(parts) + " and " + model.getName());
        }
        return IntegrationLookup.forModelType(model)
                .flatMap(integration -> integration.selector(model))
                .orElseThrow(() -> new HandlerDeclarationException("no integration knows " + model.getName()
                        + " as a model; add its module, such as kopf4j-fabric8, or name the resource"));
    }

    private @Nullable String either(String name, @Nullable String positional) {
        String given = given(name);
        if (given != null && positional != null && !given.equals(positional)) {
            throw new HandlerDeclarationException("the " + name + " is given twice: '" + positional + "' in value, and "
                    + name + " = \"" + given + "\"; remove one of them");
        }
        return given == null ? positional : given;
    }

    private @Nullable String given(String name) {
        String text = annotationAttributes.text(name);
        return text.isEmpty() ? null : text;
    }

    private List<Predicate<? super HandlerContext>> when() {
        String name = annotationAttributes.text("when");
        return name.isEmpty() ? List.of() : List.of(methods.condition(name, kind));
    }

    private List<String> field() {
        String dotted = annotationAttributes.text("field");
        String[] keys = annotationAttributes.texts("fieldKeys");
        if (!dotted.isEmpty() && keys.length > 0) {
            throw new HandlerDeclarationException("give either field or fieldKeys, not both");
        }
        return dotted.isEmpty() ? List.of(keys) : List.of(dotted.split("\\.", -1));
    }

    private @Nullable ValueFilter valueFilter(String name) {
        String text = annotationAttributes.text(name);
        String json = annotationAttributes.text(name + "Json");
        String when = annotationAttributes.text(name + "When");
        boolean given = annotationAttributes.value(name) != null && !text.equals(Filter.ANYTHING);
        if ((given ? 1 : 0) + (json.isEmpty() ? 0 : 1) + (when.isEmpty() ? 0 : 1) > 1) {
            throw new HandlerDeclarationException("give one of " + name + ", " + name + "Json, " + name + "When");
        }
        if (!json.isEmpty()) {
            return jsonFilter(name, json);
        }
        if (!when.isEmpty()) {
            return new ValueFilter.Callback(methods.valueTest(when, kind));
        }
        return given ? ValueFilter.of(text, name) : null;
    }

    private static ValueFilter jsonFilter(String name, String json) {
        try {
            JsonNode value = Json.parse(json);
            return value.isNull() ? new ValueFilter.Absent() : new ValueFilter.Literal(value);
        } catch (JsonConversionException e) {
            throw new HandlerDeclarationException(name + "Json is not JSON: '" + json + "': " + e.getMessage(), e);
        }
    }
}
