package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The file with the lines that the tests of a module execute, by which {@link RecordingRun} tells them the audit. */
final class RecordedLinesFile {
    private RecordedLinesFile() {}

    /**
     * Writes the lines of {@link LineRecorder}, and which of them each test executes. Others see the file complete or
     * not at all.
     */
    static void write(Path file, Map<String, BitSet> linesByTest, Map<String, String> rowsByTest) throws IOException {
        List<String> text = new ArrayList<>();
        LineRecorder.lines().forEach(line -> text.add("line\t" + line));
        linesByTest.forEach((name, lines) -> text.add("test\t" + name + "\t" + rowsByTest.get(name) + "\t"
                + lines.stream().mapToObj(Integer::toString).collect(Collectors.joining(" "))));
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.write(unfinished, text);
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The tests of the module, with what they execute. */
    static List<RecordedTest> read(AuditedModule module) throws IOException {
        List<RecordedTest> tests = new ArrayList<>();
        List<CodeLine> lines = new ArrayList<>();
        for (String text : Files.readAllLines(module.recordedLines())) {
            String[] parts = text.split("\t", -1);
            if (parts[0].equals("line")) {
                lines.add(CodeLine.parse(parts[1]));
            } else {
                tests.add(new RecordedTest(
                        module.name(), parts[1], Set.of(parts[2].split(" ", -1)), chosen(lines, parts[3])));
            }
        }
        return tests;
    }

    private static Set<CodeLine> chosen(List<CodeLine> lines, String numbers) {
        return Arrays.stream(numbers.split(" ", -1))
                .filter(number -> !number.isEmpty())
                .map(number -> lines.get(Integer.parseInt(number)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
