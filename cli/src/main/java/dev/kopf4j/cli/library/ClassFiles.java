package dev.kopf4j.cli.library;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Goes through the class files of a jar or a folder, one at a time. Immutable.
 *
 * @param wanted accepts the binary names of those to be read
 * @param <T> what is kept of each
 */
record ClassFiles<T>(Predicate<String> wanted, Reader<T> reader) {
    private static final String EXTENSION = ".class";
    private static final String OF_SPRING_BOOT = "BOOT-INF/classes/";

    /** The bytes of a file, read when they are asked for. */
    interface Content {
        byte[] bytes() throws IOException;
    }

    /** Makes what is kept of a class. */
    interface Reader<T> {
        T read(String name, Content file) throws IOException;
    }

    /** Returns what is kept of the classes, sorted by their binary names. */
    List<T> in(Path place) {
        try {
            return List.copyOf((Files.isDirectory(place) ? inFolder(place) : inJar(place)).values());
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

    private Map<String, T> inFolder(Path folder) throws IOException {
        var kept = new TreeMap<String, T>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                add(kept, folder.relativize(file).toString().replace('\\', '/'), () -> Files.readAllBytes(file));
            }
        }
        return kept;
    }

    private Map<String, T> inJar(Path file) throws IOException {
        var kept = new TreeMap<String, T>();
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().startsWith(OF_SPRING_BOOT)) {
                    throw executable(file);
                }
                add(kept, entry.getName(), () -> content(jar, entry));
            }
        }
        return kept;
    }

    private static CommandException executable(Path jar) {
        return CommandException.usage(
                jar + " is an executable jar of Spring Boot, of which only itself can load classes."
                        + " Unpack it (jar --extract --file " + jar
                        + " --dir unpacked), and name unpacked/BOOT-INF/classes instead, with"
                        + " --classpath unpacked/BOOT-INF/lib.");
    }

    private static byte[] content(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream content = jar.getInputStream(entry)) {
            return content.readAllBytes();
        }
    }

    private void add(Map<String, T> kept, String file, Content content) throws IOException {
        if (isClass(file)) {
            String name = file.substring(0, file.length() - EXTENSION.length()).replace('/', '.');
            if (wanted.test(name)) {
                kept.put(name, reader.read(name, content));
            }
        }
    }

    /** Classes for other versions of Java below {@code META-INF} have the names of those for all. */
    private static boolean isClass(String file) {
        return file.endsWith(EXTENSION) && !file.startsWith("META-INF/") && !file.endsWith("-info.class");
    }
}
