package dev.kopf4j.cli.source;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an operator consists of, to be run elsewhere. Immutable.
 *
 * @param classFiles the compiled sources, by their paths in a jar
 * @param resources folders of sources, whose other files are resources
 * @param given jars and folders of classes that were named
 * @param libraries jars and folders that these use
 * @param names the classes and packages whose handlers are wanted; empty for all
 */
public record OperatorFiles(
        SortedMap<String, byte[]> classFiles,
        List<Path> resources,
        List<Path> given,
        List<Path> libraries,
        List<String> names) {
    /** Copies the collections. */
    public OperatorFiles {
        classFiles = Collections.unmodifiableSortedMap(new TreeMap<>(classFiles));
        resources = List.copyOf(resources);
        given = List.copyOf(given);
        libraries = List.copyOf(libraries);
        names = List.copyOf(names);
    }
}
