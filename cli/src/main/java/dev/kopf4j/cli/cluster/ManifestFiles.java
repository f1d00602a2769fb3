package dev.kopf4j.cli.cluster;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The YAML or JSON files that the program applies to the embedded cluster before the operator starts. Immutable.
 *
 * @param documents all documents of all files, as one text
 */
public record ManifestFiles(List<Path> files, String documents) {
    public ManifestFiles {
        files = List.copyOf(files);
    }

    /**
     * Reads the {@code *.yaml} and {@code *.yml} files in the folder of a source file, but not in its subfolders, in
     * the order of their names.
     *
     * @param other a file that is no manifest; null for none
     */
    public static ManifestFiles beside(Path source, @Nullable Path other) {
        return read(inFolder(source.resolveSibling("")).stream()
                .filter(file -> other == null
                        || !file.toAbsolutePath()
                                .normalize()
                                .equals(other.toAbsolutePath().normalize()))
                .toList());
    }

    /**
     * Reads the given files; for a folder, the YAML files in it.
     *
     * @throws CommandException if a file is missing or malformed; the message has its name and line
     */
    public static ManifestFiles read(List<Path> filesAndFolders) {
        List<Path> files = filesAndFolders.stream()
                .flatMap(path -> Files.isDirectory(path) ? inFolder(path).stream() : Stream.of(path))
                .toList();
        return new ManifestFiles(files, files.stream().map(ManifestFiles::text).collect(Collectors.joining("\n---\n")));
    }

    private static List<Path> inFolder(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(ManifestFiles::isYaml).sorted().toList();
        } catch (IOException e) {
            throw CommandException.usage("Cannot list the folder " + folder + ": " + FileProblem.describe(folder, e));
        }
    }

    private static boolean isYaml(Path path) {
        String name = path.getFileName().toString();
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && Files.isRegularFile(path);
    }

    private static String text(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw CommandException.usage("Cannot read the manifest " + file + ": " + FileProblem.describe(file, e));
        }
        check(file, text);
        return text;
    }

    private static void check(Path file, String text) {
        var settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            new Load(settings).loadAllFromString(text).forEach(document -> {});
        } catch (MarkedYamlEngineException e) {
            String position = e.getProblemMark().map(ManifestFiles::position).orElse("");
            throw CommandException.usage("The manifest " + file + " is not YAML" + position + ": " + e.getProblem());
        } catch (YamlEngineException e) {
            throw CommandException.usage("The manifest " + file + " is not YAML: " + e.getMessage());
        }
    }

    private static String position(Mark mark) {
        return ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + "\n" + mark.createSnippet();
    }
}
