package dev.kopf4j.checklist;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test classes that carry the tags of rows, found by reading their sources. Immutable. */
final class TaggedTests {
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([A-L]\\d\\d)\"\\)");

    private final SortedMap<String, Set<String>> classesByRow;

    private TaggedTests(SortedMap<String, Set<String>> classesByRow) {
        this.classesByRow = classesByRow;
    }

    /** Reads the tests of all modules in this folder. */
    static TaggedTests find(Path root) throws IOException {
        SortedMap<String, Set<String>> found = new TreeMap<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path module : modules) {
                Path tests = module.resolve("src").resolve("test").resolve("java");
                if (Files.isDirectory(tests)) {
                    read(tests, found);
                }
            }
        }
        return new TaggedTests(found);
    }

    private static void read(Path tests, SortedMap<String, Set<String>> found) throws IOException {
        try (Stream<Path> files =
                Files.find(tests, 30, (file, attributes) -> file.toString().endsWith("Test.java"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                Matcher tags = TAG.matcher(Files.readString(file));
                while (tags.find()) {
                    found.computeIfAbsent(tags.group(1), row -> new TreeSet<>()).add(name);
                }
            }
        }
    }

    Set<String> rows() {
        return classesByRow.keySet();
    }

    /** Returns the classes with tags of rows of which no test has run. */
    List<String> missing(Map<String, SortedMap<String, Boolean>> results) {
        Set<String> missing = new TreeSet<>();
        classesByRow.forEach((row, classes) -> {
            Set<String> run = results.getOrDefault(row, new TreeMap<>()).keySet();
            classes.stream()
                    .filter(name -> run.stream().noneMatch(test -> test.startsWith(name + ".")))
                    .forEach(missing::add);
        });
        return List.copyOf(missing);
    }
}
