package dev.kopf4j.integration;

import dev.kopf4j.BindingException;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.spi.Integration;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Makes typed values of parts of objects: models by their own library, everything else by Jackson. Thread-safe. */
public final class ModelBinding {
    /** The packages and the outer classes before a name. */
    private static final Pattern QUALIFIERS = Pattern.compile("[\\w$.]+[.$](?=\\w)");

    private ModelBinding() {}

    /**
     * Binds a value.
     *
     * @param at the path of the value in the thing with the title
     * @param title the name of the thing, for the message
     * @throws BindingException if it does not fit
     */
    public static Object bind(JsonNode value, Type type, FieldPath at, Supplier<String> title) {
        try {
            Optional<Integration> integration =
                    type instanceof Class<?> cls ? IntegrationLookup.forModelType(cls) : Optional.empty();
            return integration.isPresent()
                    ? integration.get().bind(Json.text(value), (Class<?>) type)
                    : Json.bind(value, type, at);
        } catch (JsonConversionException e) {
            throw misfit(type, title.get(), e);
        } catch (IllegalArgumentException e) {
            throw misfit(type, title.get(), e);
        }
    }

    /** Packages are left out: the message also reaches those who apply an object that an admission handler refuses. */
    private static BindingException misfit(Type type, String title, RuntimeException e) {
        String name = QUALIFIERS.matcher(type.getTypeName()).replaceAll("");
        return new BindingException(title + " does not fit " + name, String.valueOf(e.getMessage()), e);
    }
}
