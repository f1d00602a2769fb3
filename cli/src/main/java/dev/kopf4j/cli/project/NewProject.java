package dev.kopf4j.cli.project;

import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes new projects and files. Nothing that exists is changed, and nothing is written if something is in the way. */
public final class NewProject {
    private final Map<Path, String> files = new LinkedHashMap<>();

    /** The folders that were made for the files, the outer ones first. */
    private final List<Path> folders = new ArrayList<>();

    private NewProject() {}

    /**
     * A project in a folder of its own.
     *
     * @throws CommandException if the folder exists and is not empty
     */
    public static NewProject in(Path folder, ProjectKind kind, ProjectNames names) {
        requireEmpty(folder);
        Map<String, String> values = names.values();
        values.put("folder", names.javaPackage().replace('.', '/'));
        Templates templates = new Templates(values);
        NewProject project = new NewProject();
        kind.files()
                .forEach((path, template) ->
                        project.files.put(folder.resolve(templates.filledText(path)), templates.filled(template)));
        return project;
    }

    /**
     * A single source file with an object. Without a test: nothing would run it beside a single file.
     *
     * @throws CommandException if one of them exists
     */
    public static NewProject ofFiles(Path folder, ProjectNames names) {
        Templates templates = new Templates(names.values());
        NewProject project = new NewProject();
        project.files.put(folder.resolve(names.kind() + "Operator.java"), templates.filled("Single.java"));
        project.files.put(folder.resolve("example.yaml"), templates.filled("example.yaml"));
        project.files.keySet().stream().filter(Files::exists).findFirst().ifPresent(file -> {
            throw CommandException.usage(file + " exists already: nothing was written.");
        });
        return project;
    }

    private static void requireEmpty(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> content = Files.list(folder)) {
            if (content.findAny().isPresent()) {
                throw CommandException.usage(
                        "The folder " + folder + " is not empty: nothing was written. Give another name, or --folder.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Looking into " + folder + " failed", e);
        }
    }

    /** Writes the files; returns their paths. If one cannot be written, those before it are taken away again. */
    public List<Path> write() {
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<Path, String> each : files.entrySet()) {
                Path parent = each.getKey().toAbsolutePath().getParent();
                if (parent != null) {
                    makeFolders(parent);
                }
                written.add(each.getKey());
                Files.writeString(each.getKey(), each.getValue());
            }
            return List.copyOf(written);
        } catch (IOException e) {
            UncheckedIOException failure = new UncheckedIOException("Writing the project failed", e);
            written.forEach(file -> delete(file, failure));
            deleteFolders(failure);
            throw failure;
        }
    }

    private void makeFolders(Path folder) throws IOException {
        List<Path> missing = new ArrayList<>();
        for (Path each = folder; each != null && !Files.exists(each); each = each.getParent()) {
            missing.addFirst(each);
        }
        folders.addAll(missing);
        Files.createDirectories(folder);
    }

    /**
     * Takes the written files and their folders away again, since of this what belongs to them cannot be made. Folders
     * in which somebody else has something stay.
     */
    public void takeBack(Exception reason) {
        files.keySet().forEach(file -> delete(file, reason));
        deleteFolders(reason);
    }

    private void deleteFolders(Exception failure) {
        folders.reversed().forEach(folder -> {
            if (isEmpty(folder)) {
                delete(folder, failure);
            }
        });
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        } catch (IOException e) {
            return false; // it was not made after all, or cannot be looked into
        }
    }

    private static void delete(Path file, Exception failure) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
