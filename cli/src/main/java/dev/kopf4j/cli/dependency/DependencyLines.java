package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lines {@code //DEPS group:artifact:version} of source files. Pure but for reading them. */
final class DependencyLines {
    private static final String START = "//DEPS ";

    private DependencyLines() {}

    /** Returns all dependencies that the files name, in their order. */
    static List<NamedDependency> in(List<Path> sources) {
        return sources.stream()
                .flatMap(source -> parse(source.toString(), text(source)).stream())
                .toList();
    }

    private static String text(Path source) {
        try {
            return Files.readString(source, StandardCharsets.ISO_8859_1); // whatever it is, coordinates are ASCII
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot read the source file " + source + ": " + FileProblem.describe(source, e));
        }
    }

    /** Several may be on a line, with spaces or commas between them; a comment may follow. */
    static List<NamedDependency> parse(String file, String text) {
        var dependencies = new ArrayList<NamedDependency>();
        if (!text.contains(START)) {
            return dependencies;
        }
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(START)) {
                String position = file + ":" + (i + 1);
                for (String each :
                        lines.get(i).substring(START.length()).split("//", 2)[0].split("[\\s,;]+", -1)) {
                    if (!each.isEmpty()) {
                        dependencies.add(NamedDependency.parse(each, position));
                    }
                }
            }
        }
        return dependencies;
    }
}
