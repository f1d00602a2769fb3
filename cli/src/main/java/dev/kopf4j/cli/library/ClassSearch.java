package dev.kopf4j.cli.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds classes with handlers, and types of custom resources, by reading class files: what is not loaded cannot fail
 * for classes that nobody has put there. Confined to one thread.
 */
public final class ClassSearch {
    private static final ClassFacts UNKNOWN = new ClassFacts("", false, false, false, false);

    private final ClassFolders folders;
    private final ClassLoader loader;
    private final Map<String, ClassFacts> ancestors = new HashMap<>();

    /**
     * Prepares a search.
     *
     * @param loader has the classes that others inherit handlers from
     */
    public ClassSearch(ClassFolders folders, ClassLoader loader) {
        this.folders = folders;
        this.loader = loader;
    }

    /** Returns the classes whose names are wanted: place by place, sorted by name in each. */
    public List<FoundClass> find(Predicate<String> wanted) {
        return folders.places().stream()
                .flatMap(place -> new ClassFiles<>(
                                wanted, (name, file) -> found(name, place, ClassFacts.of(file.bytes())))
                        .in(place).stream())
                .filter(found -> found.hasHandlers() || found.isCustomResource())
                .toList();
    }

    private FoundClass found(String name, Path place, ClassFacts facts) {
        boolean hasHandlers = facts.instantiable()
                && lineage(facts).noneMatch(ClassFacts::explicit)
                && lineage(facts).anyMatch(ClassFacts::declaresHandlers);
        return new FoundClass(name, place, hasHandlers, facts.isCustomResource());
    }

    private Stream<ClassFacts> lineage(ClassFacts facts) {
        return Stream.iterate(facts, Objects::nonNull, each -> ancestor(each.superclass()));
    }

    @SuppressWarnings("NullAway") // the end of the stream above
    private ClassFacts ancestor(String internalName) {
        return internalName.isEmpty() || internalName.startsWith("java/")
                ? null
                : ancestors.computeIfAbsent(internalName, this::read);
    }

    private ClassFacts read(String internalName) {
        try (InputStream file = loader.getResourceAsStream(internalName + ".class")) {
            return file == null ? UNKNOWN : ClassFacts.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the class " + internalName.replace('/', '.'), e);
        }
    }
}
