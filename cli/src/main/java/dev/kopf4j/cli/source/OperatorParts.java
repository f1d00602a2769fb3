package dev.kopf4j.cli.source;

import java.nio.file.Path;
import java.util.List;

/**
 * What an operator consists of, by where it lies; nothing of it has been compiled or loaded. Immutable.
 *
 * @param hasSources true if there are source files, whose classes belong to it
 * @param given jars and folders of classes that were named
 * @param libraries jars and folders that these use
 * @param names the classes and packages whose handlers are wanted; empty for all
 */
public record OperatorParts(boolean hasSources, List<Path> given, List<Path> libraries, List<String> names) {
    /** Copies the lists. */
    public OperatorParts {
        given = List.copyOf(given);
        libraries = List.copyOf(libraries);
        names = List.copyOf(names);
    }
}
