package dev.kopf4j.types;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.types.definition.EnglishPlural;
import dev.kopf4j.types.schema.PlainTypes;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** From a definition to records, and back: written, compiled, loaded, and made a definition again. */
final class RoundTrip {
    private final Path folder;

    RoundTrip(Path folder) {
        this.folder = folder;
    }

    /** The definition of the records that are written for a definition. */
    Map<String, Object> of(Map<String, Object> definition) {
        try {
            List<Path> sources = new ArrayList<>();
            for (Map.Entry<String, String> file :
                    RecordSources.files(List.of(definition), "").entrySet()) {
                sources.add(Files.writeString(folder.resolve(file.getKey()), file.getValue()));
            }
            return CustomResourceDefinitions.of(types(sources), Descriptions.of(sources))
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("in " + folder, e);
        }
    }

    private List<Class<?>> types(List<Path> sources) throws IOException {
        var javac = ToolProvider.getSystemJavaCompiler();
        try (var files = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            var messages = new StringWriter();
            var options = List.of(
                    "-proc:none", "-parameters", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
            var units = files.getJavaFileObjectsFromPaths(sources);
            if (!javac.getTask(messages, files, null, options, null, units).call()) {
                throw new AssertionError("what was written does not compile:\n" + messages);
            }
        }
        var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, RoundTrip.class.getClassLoader());
        return sources.stream()
                .<Class<?>>map(source -> loaded(loader, source))
                .filter(type -> type.isAnnotationPresent(CustomResource.class))
                .toList();
    }

    private static Class<?> loaded(ClassLoader loader, Path source) {
        try {
            return loader.loadClass(source.getFileName().toString().replace(".java", ""));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(source + " has no class of its name", e);
        }
    }

    /** The {@link #essence} of a definition, with the limits that Java's types add. */
    static @Nullable Object expected(Map<String, Object> definition) {
        return withLimits(essence(definition));
    }

    private static @Nullable Object withLimits(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> all = new LinkedHashMap<>();
                map.forEach((key, each) -> all.put(key, withLimits(each)));
                if (map.get("format") instanceof String format
                        && map.get("type") instanceof String
                        && !format.equals("uri")) { // a String in records
                    PlainTypes.readable(format)
                            .forEach((key, limit) -> all.putIfAbsent(
                                    key, limit instanceof Number number ? number.doubleValue() : limit));
                }
                yield all;
            }
            case List<?> list -> {
                List<@Nullable Object> all = new ArrayList<>();
                list.forEach(each -> all.add(withLimits(each)));
                yield all;
            }
            case null, default -> value;
        };
    }

    /** What the round trip is to keep of a definition; the named differences are taken out. */
    @SuppressWarnings("unchecked") // keys are texts
    static Object essence(Map<String, Object> definition) {
        Map<String, Object> spec = new LinkedHashMap<>((Map<String, Object>) definition.getOrDefault("spec", Map.of()));
        spec.remove("conversion");
        spec.remove("preserveUnknownFields");
        spec.put("names", names((Map<String, Object>) spec.getOrDefault("names", Map.of())));
        List<Object> versions = new ArrayList<>();
        for (Map<String, Object> version : (List<Map<String, Object>>) spec.getOrDefault("versions", List.of())) {
            versions.add(version(version));
        }
        spec.put("versions", versions);
        return spec;
    }

    /** Where two trees differ; nothing if they are equal. */
    static List<String> differences(@Nullable Object expected, @Nullable Object actual) {
        List<String> found = new ArrayList<>();
        differences("", expected, actual, found);
        return found;
    }

    private static void differences(
            String path, @Nullable Object expected, @Nullable Object actual, List<String> found) {
        if (expected instanceof Map<?, ?> before && actual instanceof Map<?, ?> after) {
            Set<Object> keys = new HashSet<>(before.keySet());
            keys.addAll(after.keySet());
            keys.forEach(key -> differences(path + "." + key, before.get(key), after.get(key), found));
        } else if (expected instanceof List<?> before
                && actual instanceof List<?> after
                && before.size() == after.size()) {
            for (int index = 0; index < before.size(); index++) {
                differences(path + "[" + index + "]", before.get(index), after.get(index), found);
            }
        } else if (!java.util.Objects.equals(expected, actual)) {
            found.add(path + ": " + expected + " became " + actual);
        }
    }

    private static Map<String, Object> names(Map<String, Object> names) {
        Map<String, Object> all = new LinkedHashMap<>(names);
        String kind = String.valueOf(names.get("kind"));
        all.putIfAbsent("listKind", kind + "List");
        all.putIfAbsent("singular", kind.toLowerCase(Locale.ROOT));
        all.putIfAbsent("plural", EnglishPlural.of(kind));
        all.values().removeIf(List.of()::equals);
        return all;
    }

    @SuppressWarnings("unchecked") // as above
    private static Object version(Map<String, Object> version) {
        Map<String, Object> all = new LinkedHashMap<>(version);
        all.values().removeIf(value -> value.equals(List.of()) || value.equals(Map.of()));
        all.remove("deprecated", false);
        Object schema = ((Map<String, Object>) all.getOrDefault("schema", Map.of())).get("openAPIV3Schema");
        Map<String, Object> root = new LinkedHashMap<>((Map<String, Object>) normal(schema));
        root.put("properties", without((Map<Object, Object>) root.getOrDefault("properties", Map.of())));
        if (root.get("required") instanceof Set<?> required) {
            Set<Object> rest = new HashSet<>(required);
            rest.removeAll(Set.of("apiVersion", "kind", "metadata"));
            root.put("required", rest);
            root.remove("required", Set.of());
        }
        all.put("schema", root);
        if (all.get("additionalPrinterColumns") instanceof List<?> columns) {
            all.put(
                    "additionalPrinterColumns",
                    columns.stream()
                            .map(each -> {
                                Map<Object, Object> column = new LinkedHashMap<>((Map<Object, Object>) each);
                                column.remove("priority", 0);
                                return column;
                            })
                            .toList());
        }
        return all;
    }

    private static Map<Object, Object> without(Map<Object, Object> properties) {
        Map<Object, Object> rest = new LinkedHashMap<>(properties);
        Stream.of("apiVersion", "kind", "metadata").forEach(rest::remove);
        return rest;
    }

    /** Numbers by value, required fields without order, nothing that is empty and means nothing. */
    private static @Nullable Object normal(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> normal = new LinkedHashMap<>();
                map.forEach((key, each) -> normal.put(key, normal(each)));
                if (normal.get("required") instanceof List<?> required) {
                    normal.put("required", new HashSet<>(required));
                }
                for (Object nothing : List.of(Set.of(), "")) {
                    normal.remove("required", nothing);
                    normal.remove("description", nothing);
                }
                normal.remove("properties", Map.of());
                yield normal;
            }
            case List<?> list -> {
                List<@Nullable Object> normal = new ArrayList<>();
                list.forEach(each -> normal.add(normal(each)));
                yield normal;
            }
            case Number number -> number.doubleValue();
            case null, default -> value;
        };
    }
}
