package dev.kopf4j.types;

import dev.kopf4j.types.javadoc.CommentReader;
import dev.kopf4j.types.schema.Comments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the comments in sources say of types and their fields; compiled classes have none. Immutable.
 *
 * @param texts the text of each type by its binary name, and of each field by that name, {@code #}, and the field's
 */
public record Descriptions(Map<String, String> texts) {
    /** Copies the map. */
    public Descriptions {
        texts = Map.copyOf(texts);
    }

    /** None. */
    public static Descriptions none() {
        return new Descriptions(Map.of());
    }

    /** Those of source files, which are read but not compiled. What is no Java is left out. */
    public static Descriptions of(List<Path> sources) {
        return new Descriptions(CommentReader.read(sources));
    }

    /** The text of a type; empty if there is none. */
    public String of(Class<?> type) {
        return new Comments(texts).of(type);
    }

    /** The text of a component or field of a type; empty if there is none. */
    public String of(Class<?> type, String field) {
        return new Comments(texts).of(type, field);
    }
}
