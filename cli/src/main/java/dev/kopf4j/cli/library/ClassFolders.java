package dev.kopf4j.cli.library;

import dev.kopf4j.cli.process.CommandException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The compiled classes in jars and folders. Immutable. */
public record ClassFolders(List<Path> places) {
    /** Copies the list. */
    public ClassFolders {
        places = List.copyOf(places);
    }

    /** Makes a loader for these classes; its parent loads what they share with the program. */
    public ClassLoader loader(ClassLoader parent) {
        URL[] urls = places.stream().map(ClassFolders::url).toArray(URL[]::new);
        return places.isEmpty() ? parent : new URLClassLoader("classes", urls, parent);
    }

    private static URL url(Path place) {
        try {
            return place.toUri().toURL();
        } catch (MalformedURLException e) {
            throw CommandException.usage("Cannot load classes from " + place + ": " + e.getMessage());
        }
    }

    /** Returns the class path for the compiler, in the form of {@code java.class.path}. */
    public String classPath() {
        return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns these places, and others behind them. */
    public ClassFolders and(List<Path> others) {
        var all = new ArrayList<>(places);
        all.addAll(others);
        return new ClassFolders(all.stream().distinct().toList());
    }

    /** True if there is a class of such a name. */
    public boolean hasAny(Predicate<String> wanted) {
        return places.stream().flatMap(place -> names(place).stream()).anyMatch(wanted);
    }

    /**
     * Reads all names.
     *
     * @throws CommandException if classes of one place cannot be loaded from there
     */
    public void check() {
        places.forEach(ClassFolders::names);
    }

    private static List<String> names(Path place) {
        return new ClassFiles<String>(name -> true, (name, file) -> name).in(place);
    }
}
