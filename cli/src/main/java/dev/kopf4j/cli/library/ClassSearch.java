package dev.kopf4j.cli.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds classes with handlers, and types of custom resources, by reading class files: what is not loaded cannot fail
 * for classes that nobody has put there. Confined to one thread.
 */
public final class ClassSearch {
    private static final ClassFacts UNKNOWN = new ClassFacts(List.of(), false, false, false, false, false);

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

    /** Whether an inherited method is overridden shows itself when the class is loaded. */
    private FoundClass found(String name, Path place, ClassFacts facts) {
        boolean mayHave = facts.instantiable()
                ? lineage(facts).anyMatch(ClassFacts::declaresHandlers)
                : facts.declaresStaticHandlers();
        boolean hasHandlers = mayHave && lineage(facts).noneMatch(ClassFacts::explicit);
        return new FoundClass(name, place, hasHandlers, facts.isCustomResource());
    }

    private Stream<ClassFacts> lineage(ClassFacts facts) {
        return Stream.concat(
                Stream.of(facts),
                facts.supertypes().stream()
                        .filter(each -> !each.startsWith("java/"))
                        .flatMap(each -> lineage(ancestor(each))));
    }

    private ClassFacts ancestor(String internalName) {
        ClassFacts known = ancestors.get(internalName);
        if (known == null) {
            known = read(internalName);
            ancestors.put(internalName, known);
        }
        return known;
    }

    private ClassFacts read(String internalName) {
        try (InputStream file = loader.getResourceAsStream(internalName + ".class")) {
            return file == null ? UNKNOWN : ClassFacts.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the class " + internalName.replace('/', '.'), e);
        }
    }
}
