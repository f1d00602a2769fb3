package dev.kopf4j.cli.library;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import javax.tools.JavaFileManager;
import javax.tools.StandardJavaFileManager;

/**
 * What operators see of this program. Started from the distribution, that is the {@link SharedLibrary shared
 * libraries}; on a class path that somebody else has composed, as in tests, it is that whole class path. Immutable.
 */
public final class ProgramLibraries {
    private final Optional<Path> distribution;
    private final ClassLoader loader;

    private ProgramLibraries(Optional<Path> distribution) {
        ClassLoader program = ProgramLibraries.class.getClassLoader();
        this.distribution = distribution;
        this.loader = distribution.isPresent() ? new SharedClassLoader(program) : program;
    }

    /** Those of the running program. */
    public static ProgramLibraries ofThisProgram() {
        return new ProgramLibraries(Optional.of(System.getProperty("java.class.path", ""))
                .filter(path -> !path.isEmpty() && !path.contains(File.pathSeparator))
                .map(Path::of)
                .filter(path -> isThisJar(path)));
    }

    private static boolean isThisJar(Path path) {
        try {
            // Classes of a start-up cache that was made at another place, as in an image, have no location.
            var location =
                    ProgramLibraries.class.getProtectionDomain().getCodeSource().getLocation();
            return path.toString().endsWith(".jar")
                    && (location == null || Path.of(location.toURI()).equals(path.toAbsolutePath()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class loader gave a malformed address", e);
        }
    }

    /** The jar of the program; empty if it was not started from the distribution. */
    public Optional<Path> jar() {
        return distribution;
    }

    /** The parent of the loaders of operators' classes. */
    public ClassLoader loader() {
        return loader;
    }

    /** The class path that somebody has composed, where operators may lie, too; empty in the distribution. */
    public List<Path> classPath() {
        if (distribution.isPresent()) {
            return List.of();
        }
        return Arrays.stream(System.getProperty("java.class.path", "")
                        .split(java.util.regex.Pattern.quote(File.pathSeparator), -1))
                .filter(part -> !part.isEmpty())
                .map(Path::of)
                .filter(java.nio.file.Files::exists)
                .toList();
    }

    /** Tells the compiler where the shared libraries are. */
    public void locate(StandardJavaFileManager files) throws IOException {
        List<Path> jars = distribution.isPresent() ? jars(distribution.get()) : List.of();
        for (SharedLibrary library : SharedLibrary.values()) {
            files.setLocationFromPaths(
                    library,
                    jars.stream()
                            .filter(jar -> library.isIn(jar.getFileName().toString()))
                            .toList());
        }
    }

    /** Returns where the compiler finds a package of this program; empty if it must not. */
    public Optional<JavaFileManager.Location> location(String packageName) {
        return distribution.flatMap(jar -> SharedLibrary.of(packageName));
    }

    /** The jars of the class path in the program's own manifest. */
    private static List<Path> jars(Path program) {
        try (JarFile jar = new JarFile(program.toFile())) {
            String names = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            var jars = new ArrayList<Path>();
            for (String name : names.split(" ", -1)) {
                jars.add(program.resolveSibling(name));
            }
            return jars;
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot read the program " + program + ": " + FileProblem.describe(program, e));
        }
    }
}
