package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Lines of source files that name something, such as {@code //DEPS group:artifact:version}. Pure but for reading them.
 *
 * @param start how such a line begins
 * @param element makes an element of a text and its position
 */
record SourceLines<T>(String start, BiFunction<String, String, T> element) {
    static final SourceLines<NamedDependency> DEPENDENCIES = new SourceLines<>("//DEPS ", NamedDependency::parse);
    static final SourceLines<NamedRepository> REPOSITORIES = new SourceLines<>("//REPOS ", NamedRepository::parse);

    /** Returns all elements that the files name, in their order. */
    List<T> in(List<Path> sources) {
        return sources.stream()
                .flatMap(source -> parse(source.toString(), text(source)).stream())
                .toList();
    }

    private static String text(Path source) {
        try {
            return Files.readString(
                    source, StandardCharsets.ISO_8859_1); // whatever it is, names and addresses are ASCII
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot read the source file " + source + ": " + FileProblem.describe(source, e));
        }
    }

    /** Several may be on a line, with spaces or commas between them; a comment may follow behind a space. */
    List<T> parse(String file, String text) {
        var elements = new ArrayList<T>();
        if (!text.contains(start)) {
            return elements;
        }
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(start)) {
                String position = file + ":" + (i + 1);
                String named = lines.get(i).substring(start.length()).split("(^|\\s)//", 2)[0];
                for (String each : named.split("[\\s,;]+", -1)) {
                    if (!each.isEmpty()) {
                        elements.add(element.apply(each, position));
                    }
                }
            }
        }
        return elements;
    }
}
