package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A module with tests, as the build has left it. Immutable.
 *
 * @param folder the module
 * @param target the folder that its build has written
 */
record AuditedModule(Path folder, Path target) {
    private static final String CLASS_PATH = "class-path";

    /** Those in the folder of the repository that were built, by their names. */
    static List<AuditedModule> find(Path root, Path buildFolder) throws IOException {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.map(folder -> new AuditedModule(folder, folder.resolve(buildFolder)))
                    .filter(module -> Files.exists(module.target().resolve(CLASS_PATH)))
                    .sorted(Comparator.comparing(AuditedModule::name))
                    .toList();
        }
    }

    String name() {
        return folder.getFileName().toString();
    }

    Path classes() {
        return target.resolve("classes");
    }

    Path testClasses() {
        return target.resolve("test-classes");
    }

    /** Which lines its tests execute, as it was recorded last. */
    Path recordedLines() {
        return target.resolve("lines.tsv");
    }

    /** Its own classes and those of all that its tests need. */
    String classPath() throws IOException {
        return String.join(
                java.io.File.pathSeparator,
                testClasses().toString(),
                classes().toString(),
                Files.readString(target.resolve(CLASS_PATH)).strip());
    }

    /** True if its tests may execute what the other module has; that may be itself. */
    boolean uses(AuditedModule other) throws IOException {
        return classPath().contains(other.classes().toString());
    }

    /** When its classes have changed last. */
    FileTime built() throws IOException {
        try (Stream<Path> files =
                Files.find(target, 30, (file, attributes) -> file.toString().endsWith(".class"))) {
            FileTime latest = FileTime.fromMillis(0);
            for (Path file : files.toList()) {
                FileTime time = Files.getLastModifiedTime(file);
                latest = time.compareTo(latest) > 0 ? time : latest;
            }
            return latest;
        }
    }
}
