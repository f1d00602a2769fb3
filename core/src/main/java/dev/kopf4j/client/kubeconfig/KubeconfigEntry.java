package dev.kopf4j.client.kubeconfig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a kubeconfig with the file that it comes from: paths in it are relative to that file.
 *
 * @param file the file, for messages and paths
 * @param content the fields as read from YAML
 */
record KubeconfigEntry(Path file, Map<?, ?> content) {
    /** Returns the text of a field; null if it is absent or empty. Numbers and flags count as text. */
    @Nullable String text(String field) {
        Object value = content.get(field);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    boolean flag(String field) {
        return Boolean.parseBoolean(text(field));
    }

    /** Returns the path in a field, resolved against the folder of the file; null if it is absent. */
    @Nullable String path(String field) {
        String value = text(field);
        return value == null ? null : resolved(value);
    }

    String resolved(String path) {
        return path.equals("~") || path.startsWith("~/")
                ? path
                : file.toAbsolutePath().resolveSibling(path).normalize().toString();
    }

    Optional<KubeconfigEntry> section(String field) {
        return content.get(field) instanceof Map<?, ?> map
                ? Optional.of(new KubeconfigEntry(file, map))
                : Optional.empty();
    }

    /** Returns the sections of a list, and leaves out anything else in it. */
    List<KubeconfigEntry> sections(String field) {
        List<KubeconfigEntry> sections = new ArrayList<>();
        if (content.get(field) instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> map) {
                    sections.add(new KubeconfigEntry(file, map));
                }
            }
        }
        return sections;
    }

    List<String> texts(String field) {
        return content.get(field) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
