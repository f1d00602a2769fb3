package dev.kopf4j.types.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML, and JSON, which is a part of it. Pure. */
public final class YamlReader {
    /** Definitions have megabytes. */
    private static final int CODE_POINTS_MAX = 64 * 1024 * 1024;

    private YamlReader() {}

    /**
     * All documents of a text; null for empty ones.
     *
     * @throws IllegalArgumentException if it is not YAML
     */
    public static List<@Nullable Object> documents(String text) {
        try {
            List<@Nullable Object> documents = new ArrayList<>();
            new Load(LoadSettings.builder().setCodePointLimit(CODE_POINTS_MAX).build())
                    .loadAllFromString(text)
                    .forEach(documents::add);
            return documents;
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** A JSON value; empty if the text is none, such as an unquoted word. */
    public static Optional<Object> json(String text) {
        String trimmed = text.trim();
        boolean looksLike = trimmed.startsWith("{")
                || trimmed.startsWith("[")
                || trimmed.startsWith("\"")
                || trimmed.matches("true|false|null|-?[0-9].*");
        try {
            Object value = looksLike ? documents(trimmed).getFirst() : null;
            return value instanceof String && !trimmed.startsWith("\"") ? Optional.empty() : Optional.ofNullable(value);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
