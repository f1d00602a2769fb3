package dev.kopf4j.cli.source;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compiled classes in jars and folders. Immutable. */
final class ClassFolders {
    private static final String EXTENSION = ".class";

    private final List<Path> places;

    /** Prepares these jars and folders. */
    ClassFolders(List<Path> places) {
        this.places = List.copyOf(places);
    }

    /** Makes a loader for these classes; its parent loads the program's own classes. */
    ClassLoader loader(ClassLoader parent) {
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
    String classPath() {
        return places.stream().map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator));
    }

    /** Returns the names of the top-level classes: jar by jar and folder by folder, sorted in each. */
    List<String> names() {
        return places.stream().flatMap(place -> names(place).stream()).toList();
    }

    private static List<String> names(Path place) {
        try {
            return Files.isDirectory(place) ? inFolder(place) : inJar(place);
        } catch (UncheckedIOException e) {
            throw unreadable(place, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(place, e);
        }
    }

    private static CommandException unreadable(Path place, IOException failure) {
        return CommandException.usage(
                "Cannot read the classes of " + place + ": " + FileProblem.describe(place, failure));
    }

    private static List<String> inFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return classNames(
                    files.map(file -> folder.relativize(file).toString().replace('\\', '/')));
        }
    }

    private static List<String> inJar(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return classNames(jar.stream().map(java.util.zip.ZipEntry::getName));
        }
    }

    private static List<String> classNames(Stream<String> files) {
        return files.filter(name -> name.endsWith(EXTENSION) && !name.contains("$"))
                .filter(name -> !name.startsWith("META-INF/") && !name.endsWith("-info.class"))
                .map(name ->
                        name.substring(0, name.length() - EXTENSION.length()).replace('/', '.'))
                .sorted()
                .toList();
    }
}
