package dev.kopf4j.types.source;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Collects what a source file imports. */
final class Imports {
    private final SortedSet<String> names = new TreeSet<>();

    void add(String name) {
        names.add(name);
    }

    void addAll(Imports others) {
        names.addAll(others.names);
    }

    /** The lines, sorted. */
    String lines() {
        return names.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining());
    }
}
