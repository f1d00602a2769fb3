package dev.kopf4j.checklist;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Which tests have passed, by the rows that they show. Thread-safe. */
final class TestResults {
    private final Map<String, SortedMap<String, Boolean>> byRow = new ConcurrentSkipListMap<>();

    TestResults() {}

    /** Adds the result of one run of a test. A test that runs several times has passed if each run has. */
    void add(String row, String test, boolean passed) {
        byRow.computeIfAbsent(row, id -> new ConcurrentSkipListMap<>()).merge(test, passed, Boolean::logicalAnd);
    }

    /** Writes a line for each row and test; whoever reads it meanwhile finds nothing or all. */
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        byRow.forEach((row, tests) -> tests.forEach((test, passed) -> lines.add(row + "\t" + test + "\t" + passed)));
        // Tests that run others end in several threads.
        Path part = file.resolveSibling(
                file.getFileName() + "." + Thread.currentThread().threadId() + ".part");
        Files.write(part, lines);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Reads the results of all modules: the files in the given folder of each. */
    static Map<String, SortedMap<String, Boolean>> readAll(Path root, Path folder) throws IOException {
        TestResults all = new TestResults();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path module : modules) {
                if (Files.isDirectory(module.resolve(folder))) {
                    all.read(module.resolve(folder));
                }
            }
        }
        return new TreeMap<>(all.byRow);
    }

    private void read(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.tsv")) {
            for (Path file : files) {
                for (String line : Files.readAllLines(file)) {
                    String[] parts = line.split("\t", -1);
                    add(parts[0], parts[1], Boolean.parseBoolean(parts[2]));
                }
            }
        }
    }
}
