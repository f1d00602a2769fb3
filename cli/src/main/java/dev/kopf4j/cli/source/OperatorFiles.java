package dev.kopf4j.cli.source;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An operator that is to be run elsewhere. Immutable.
 *
 * @param classFiles the compiled sources, by their paths in a jar
 * @param resources folders of sources, whose other files are resources
 * @param parts what it consists of
 */
public record OperatorFiles(SortedMap<String, byte[]> classFiles, List<Path> resources, OperatorParts parts) {
    /** Copies the collections. */
    public OperatorFiles {
        classFiles = Collections.unmodifiableSortedMap(new TreeMap<>(classFiles));
        resources = List.copyOf(resources);
    }
}
