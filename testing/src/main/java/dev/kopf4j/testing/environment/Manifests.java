package dev.kopf4j.testing.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the manifests that tests name. */
public final class Manifests {
    private Manifests() {}

    /**
     * The text of a manifest.
     *
     * @param named YAML, the path of a file or of a folder, or the name of a resource on the class path
     * @param owner the class of the test, whose class path it is
     * @throws IllegalArgumentException if there is none
     */
    public static String read(String named, Class<?> owner) {
        if (isYaml(named)) {
            return named;
        }
        try {
            Path path = Path.of(named);
            if (Files.isDirectory(path)) {
                return ofFolder(path);
            }
            return Files.exists(path) ? Files.readString(path) : ofClassPath(named, owner);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the manifest " + named, e);
        }
    }

    /** No file is called so: it has several lines, or is a mapping on one line. */
    private static boolean isYaml(String text) {
        return text.contains("\n") || text.strip().startsWith("{") || text.contains(": ");
    }

    private static String ofClassPath(String named, Class<?> owner) throws IOException {
        try (InputStream relative = relativeTo(owner, named);
                InputStream found = relative != null ? relative : owner.getResourceAsStream("/" + named)) {
            if (found == null) {
                throw new IllegalArgumentException("there is no manifest " + named + ": neither a file in "
                        + Path.of("").toAbsolutePath() + ", nor on the class path");
            }
            return new String(found.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Beside the class, one that it extends, or one around it: the annotation that names it may be theirs. */
    private static @Nullable InputStream relativeTo(Class<?> owner, String named) {
        return Stream.<Class<?>>iterate(owner, Objects::nonNull, Class::getEnclosingClass)
                .flatMap(each -> Stream.<Class<?>>iterate(each, Objects::nonNull, Class::getSuperclass))
                .filter(each -> each.getResource(named) != null)
                .findFirst()
                .map(each -> each.getResourceAsStream(named))
                .orElse(null);
    }

    /** The YAML files of a folder, as one text. */
    public static String ofFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> texts = files.filter(Manifests::isYaml)
                    .sorted()
                    .map(Manifests::text)
                    .toList();
            return String.join("\n---\n", texts);
        }
    }

    private static boolean isYaml(Path file) {
        return file.toString().endsWith(".yaml") || file.toString().endsWith(".yml");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the manifest " + file, e);
        }
    }
}
