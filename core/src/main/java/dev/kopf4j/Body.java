package dev.kopf4j;

import dev.kopf4j.object.BodyView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A whole object. Immutable. Made by the framework; not to be implemented. */
public interface Body extends View {
    /**
     * An object of one's own, for tests of handlers: {@code fn(Body.of(Map.of("spec", Map.of("size", 1))).spec())}.
     *
     * @param object maps, lists, text, numbers, booleans, records and beans; copied
     * @throws RuntimeException if it cannot be expressed in JSON, with the path
     */
    static Body of(Map<String, ? extends @Nullable Object> object) {
        return BodyView.of(object);
    }

    /** The {@code apiVersion}; empty text if it has none. */
    String apiVersion();

    /** The {@code kind}; empty text if it has none. */
    String kind();

    /** The {@code metadata}. */
    Meta meta();

    /** The {@code spec}; empty if it has none. */
    Spec spec();

    /** The {@code status}; empty if it has none. */
    Status status();
}
