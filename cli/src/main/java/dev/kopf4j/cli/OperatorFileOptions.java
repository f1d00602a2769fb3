package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.GeneratedDefinitions;
import dev.kopf4j.cli.cluster.GivenDefinitions;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.source.FileChanges;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.cli.source.OperatorFiles;
import dev.kopf4j.cli.source.OperatorParts;
import dev.kopf4j.cli.source.OperatorSources;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The files and modules that {@code kopf4j run} takes the handlers from. */
final class OperatorFileOptions {
    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Java source files, which are compiled together; jars; folders of sources, classes or jars.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-m", "--module"},
            paramLabel = "NAME",
            split = "\\s+",
            hideParamSyntax = true,
            description = {
                "Run the handlers of this class or package, of the given sources, jars and folders; repeatable.",
                "Without it, all handlers of the jars and folders are run."
            })
    private List<String> modules = new ArrayList<>();

    @Option(
            names = {"-cp", "--classpath"},
            paramLabel = "PATH",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = {
                "Jars, folders of jars and folders of classes that the handlers use, separated as in Java (\":\", on Windows",
                "\";\"); repeatable. Sources may name others by lines //DEPS group:artifact:version."
            })
    private List<String> classPath = new ArrayList<>();

    /** True if neither a file nor a class is named. */
    boolean isEmpty() {
        return files.isEmpty() && modules.isEmpty();
    }

    /** The files. */
    List<Path> files() {
        return List.copyOf(files);
    }

    /** The classes and packages. */
    List<String> modules() {
        return List.copyOf(modules);
    }

    /** Refuses files that do not exist or are of an unknown kind, and a command without any. */
    void check() {
        if (files.isEmpty() && modules.isEmpty()) {
            throw CommandException.usage("There is nothing to run: name a source file, as in `kopf4j run Example.java`,"
                    + " a jar, a folder, or a class by -m.");
        }
        checkFiles();
    }

    /** Refuses files that do not exist or are of an unknown kind. */
    void checkFiles() {
        files.forEach(OperatorFileOptions::check);
        libraries().stream()
                .filter(library -> !Files.isDirectory(library))
                .forEach(library -> CommandException.requireReadable("entry of the class path", library));
    }

    /** A {@code *} at the end stands for the jars of a folder, as in Java. */
    private List<Path> libraries() {
        return classPath.stream()
                .flatMap(each -> Arrays.stream(each.split(Pattern.quote(File.pathSeparator), -1)))
                .filter(each -> !each.isEmpty())
                .map(each -> Path.of(each.endsWith(File.separator + "*") ? each.substring(0, each.length() - 2) : each))
                .toList();
    }

    private static void check(Path file) {
        if (Files.isDirectory(file)) {
            return;
        }
        CommandException.requireReadable(file.toString().endsWith(".java") ? "source file" : "file", file);
        if (!file.toString().endsWith(".java") && !file.toString().endsWith(".jar")) {
            throw CommandException.usage(file + " is neither a Java source file (.java) nor a jar.");
        }
    }

    /** What happens to the files from now on. */
    FileChanges changes() {
        return new FileChanges(new OperatorSources(files, modules, libraries()).watched());
    }

    /** Compiles and loads the classes; the compiler's messages go to the writer. */
    LoadedClasses load(PrintWriter messages) {
        return new OperatorSources(files, modules, libraries()).load(messages);
    }

    /** What the operator consists of. */
    OperatorParts parts() {
        return new OperatorSources(files, modules, libraries()).parts();
    }

    /** Compiles the sources, and tells what the operator consists of. */
    OperatorFiles pack(PrintWriter messages) {
        return new OperatorSources(files, modules, libraries()).files(messages);
    }

    /**
     * The custom resource definitions of an operator; those of its types win over those of files.
     *
     * @param given the files of definitions; none for those beside the first source file
     * @param settings the file of settings, which is none of them
     */
    List<Map<String, Object>> definitions(LoadedClasses loaded, List<Path> given, @Nullable Path settings) {
        ManifestFiles manifests = given.isEmpty() ? manifests(settings) : ManifestFiles.read(given);
        Map<String, Map<String, Object>> definitions = new LinkedHashMap<>(GivenDefinitions.of(manifests));
        GeneratedDefinitions.of(loaded).forEach(each -> definitions.put(DefinitionCheck.name(each), each));
        return List.copyOf(definitions.values());
    }

    /** Other files with the same class path. */
    OperatorFileOptions of(List<Path> others) {
        OperatorFileOptions options = new OperatorFileOptions();
        options.files = List.copyOf(others);
        options.modules = modules;
        options.classPath = classPath;
        return options;
    }

    /** Reads the YAML files beside the first source file, without the given file of settings. */
    ManifestFiles manifests(@Nullable Path settings) {
        return files.isEmpty() ? ManifestFiles.read(List.of()) : ManifestFiles.beside(files.getFirst(), settings);
    }
}
