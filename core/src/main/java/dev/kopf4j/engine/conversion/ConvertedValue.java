package dev.kopf4j.engine.conversion;

import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.JsonView;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of values of functions' types: records, beans, models, views, maps. Pure. */
final class ConvertedValue {
    private ConvertedValue() {}

    /** The JSON of a value, new. */
    static ObjectNode json(@Nullable Object value) throws ConversionFailure {
        if (value == null) {
            throw new ConversionFailure("nothing was returned; return a record, a bean, a model, a view or a map");
        }
        try {
            if (tree(value) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonConversionException e) {
            throw new ConversionFailure(String.valueOf(e.getMessage()), e);
        }
        throw new ConversionFailure("a " + value.getClass().getName()
                + " is no mapping; return a record, a bean, a model, a view or a map");
    }

    /** True if nulls in it are meant, rather than the values of components that have none. */
    static boolean meansItsNulls(@Nullable Object value) {
        return value instanceof View || value instanceof Map;
    }

    private static JsonNode tree(Object value) {
        if (value instanceof JsonView view) {
            return view.node().deepCopy();
        }
        if (value instanceof View view) {
            return Json.fromJava(view.toMap());
        }
        return IntegrationLookup.forModel(value)
                .map(library -> Json.fromJava(library.toMap(value)))
                .orElseGet(() -> Json.fromJava(value));
    }
}
