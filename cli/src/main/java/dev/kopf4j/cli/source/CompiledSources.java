package dev.kopf4j.cli.source;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Compiled classes, ready to load. Immutable. */
public final class CompiledSources {
    private final MemoryClassLoader loader;
    private final List<CompiledClass> classes;

    CompiledSources(List<CompiledClass> classes, ClassLoader parent) {
        this.classes =
                classes.stream().sorted(comparingInt(CompiledClass::source)).toList();
        this.loader = new MemoryClassLoader(classes, parent);
    }

    /** The loader of the classes; its parent loads the libraries that they use. */
    public ClassLoader loader() {
        return loader;
    }

    /**
     * Returns the top-level classes, loaded but not initialised: in the order of the source files, and of their
     * declarations.
     */
    public List<Class<?>> topLevelClasses() {
        return topLevelClasses(source -> true);
    }

    /** Returns the classes that have no name outside of a method or an expression, loaded but not initialised. */
    List<Class<?>> hiddenClasses() {
        return classes.stream()
                .<Class<?>>map(compiled -> loader.load(compiled.name()))
                .filter(type -> type.isAnonymousClass() || type.isLocalClass())
                .toList();
    }

    /** The class files by their paths in a jar, sorted. */
    SortedMap<String, byte[]> classFiles() {
        SortedMap<String, byte[]> files = new TreeMap<>();
        classes.forEach(each ->
                files.put(each.name().replace('.', '/') + ".class", each.file().bytes()));
        return files;
    }

    /** Returns those of the source files at these positions. */
    List<Class<?>> topLevelClasses(IntPredicate wanted) {
        return classes.stream()
                .filter(compiled -> wanted.test(compiled.source()))
                .<Class<?>>map(compiled -> loader.load(compiled.name()))
                .filter(type -> type.getEnclosingClass() == null && !type.isSynthetic())
                .toList();
    }
}
