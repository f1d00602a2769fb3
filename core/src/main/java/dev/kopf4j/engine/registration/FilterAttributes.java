package dev.kopf4j.engine.registration;

import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.declaration.AnnotationAttributes;
import dev.kopf4j.engine.declaration.FilterDeclaration;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The filters that an annotation sets for the objects of its handler. Immutable.
 *
 * @param attributes the annotation
 * @param methods finds the methods that it may name
 */
record FilterAttributes(AnnotationAttributes attributes, NamedMethods methods) {
    FilterDeclaration read() {
        List<MetadataFilter> labels = new ArrayList<>();
        Arrays.stream(attributes.texts("labels"))
                .map(MetadataFilter::parseSelector)
                .forEach(labels::addAll);
        labels.addAll(tests("labelWhen").toList());
        List<MetadataFilter> annotations = Stream.concat(
                        Arrays.stream(attributes.texts("annotations")).map(MetadataFilter::parseAnnotation),
                        tests("annotationWhen"))
                .toList();
        return new FilterDeclaration(
                labels, annotations, when(), field(), value("fieldValue"), value("oldValue"), value("newValue"));
    }

    private List<Predicate<? super HandlerContext>> when() {
        return Arrays.stream(attributes.texts("when"))
                .<Predicate<? super HandlerContext>>map(methods::condition)
                .toList();
    }

    /** Written as {@code key=method}. */
    private Stream<MetadataFilter> tests(String name) {
        return Arrays.stream(attributes.texts(name)).map(text -> {
            int equals = text.indexOf('=');
            if (equals <= 0 || equals == text.length() - 1) {
                throw new HandlerDeclarationException(
                        name + " is '" + text + "'; write the key and the name of a method, as in \"app=isWeb\"");
            }
            return new MetadataFilter.Callback(
                    text.substring(0, equals), methods.valueTest(text.substring(equals + 1)));
        });
    }

    private List<String> field() {
        String[] keys = attributes.texts("field");
        return List.of(keys.length == 1 ? keys[0].split("\\.", -1) : keys);
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
            JsonNode value = Json.parse(json);
            return value.isNull() ? new ValueFilter.Absent() : new ValueFilter.Literal(value);
        } catch (JsonConversionException e) {
            throw new HandlerDeclarationException(name + "Json is not JSON: '" + json + "': " + e.getMessage(), e);
        }
    }
}
