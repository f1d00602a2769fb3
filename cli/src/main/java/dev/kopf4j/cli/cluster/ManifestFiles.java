package dev.kopf4j.cli.cluster;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The YAML or JSON files that the program applies to the embedded cluster before the operator starts. Immutable.
 *
 * @param documents all documents of all files, as one text
 * @param found true if the files were found beside the source, false if somebody named them
 * @param leftOut files beside the source that have other things than Kubernetes objects; files that somebody named and
 *     that have nothing
 */
public record ManifestFiles(List<Path> files, String documents, boolean found, List<Path> leftOut) {
    public ManifestFiles {
        files = List.copyOf(files);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Reads the {@code *.yaml} and {@code *.yml} files in the folder of a source file, but not in its subfolders, in
     * the order of their names. Those of other programs are left out.
     *
     * @param other a file that is no manifest; null for none
     * @throws CommandException if a file is not YAML; the message has its name and line
     */
    public static ManifestFiles beside(Path source, @Nullable Path other) {
        Map<Path, String> manifests = new LinkedHashMap<>();
        List<Path> leftOut = new ArrayList<>();
        for (Path file : inFolder(source.resolveSibling(""))) {
            if (other == null
                    || !file.toAbsolutePath()
                            .normalize()
                            .equals(other.toAbsolutePath().normalize())) {
                String text = text(file);
                if (ManifestCheck.hasObjectsOnly(file, text)) {
                    manifests.put(file, text);
                } else {
                    leftOut.add(file);
                }
            }
        }
        return new ManifestFiles(List.copyOf(manifests.keySet()), documents(manifests), true, leftOut);
    }

    /**
     * Reads the given files, each once, as a pipe has its content once; for a folder, the YAML files in it.
     *
     * @throws CommandException if a file is missing or malformed; the message has its name and line
     */
    public static ManifestFiles read(List<Path> filesAndFolders) {
        List<Path> files = filesAndFolders.stream()
                .flatMap(path -> Files.isDirectory(path) ? inFolder(path).stream() : Stream.of(path))
                .toList();
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Path file : files) {
            texts.computeIfAbsent(file, ManifestFiles::text);
        }
        texts.forEach(ManifestCheck::hasObjectsOnly);
        List<Path> empty = texts.keySet().stream()
                .filter(file -> objects(texts.getOrDefault(file, "")).isEmpty())
                .toList();
        return new ManifestFiles(files, documents(texts), false, empty);
    }

    private static String documents(Map<Path, String> texts) {
        return String.join("\n---\n", texts.values());
    }

    /** All objects of all files. */
    public List<JsonNode> objects() {
        return objects(documents);
    }

    private static List<JsonNode> objects(String documents) {
        List<JsonNode> objects = new ArrayList<>();
        new Load(LoadSettings.builder().build()).loadAllFromString(documents).forEach(document -> {
            if (document != null) { // between two lines of dashes
                objects.add(JsonMapper.shared().valueToTree(document));
            }
        });
        return objects;
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
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw CommandException.usage("Cannot read the manifest " + file + ": " + FileProblem.describe(file, e));
        }
    }
}
