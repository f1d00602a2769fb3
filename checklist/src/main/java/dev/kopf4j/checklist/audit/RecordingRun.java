package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The program that runs the tests of one module and writes down which lines each of them executes. Tests without the
 * tag of a row are not run.
 */
public final class RecordingRun implements TestExecutionListener {
    private static final Pattern ROW = Pattern.compile("[A-Z]\\d+");

    private final Map<String, BitSet> linesByTest = new LinkedHashMap<>();
    private final Map<String, String> rowsByTest = new LinkedHashMap<>();

    private RecordingRun() {}

    /** The folder of the test classes, and the file to be written. */
    public static void main(String[] arguments) throws IOException {
        RecordingRun run = new RecordingRun();
        LauncherFactory.create()
                .execute(
                        TestRun.request()
                                .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(Path.of(arguments[0]))))
                                .filters(TagFilter.includeTags("any()"))
                                .build(),
                        run);
        RecordedLinesFile.write(Path.of(arguments[1]), run.linesByTest, run.rowsByTest);
        // Servers that tests have left behind do not keep the process.
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest()) {
            return;
        }
        // Also of a test that does not count: the next one has not executed them.
        BitSet lines = LineRecorder.take();
        String rows = test.getTags().stream()
                .map(TestTag::getName)
                .filter(name -> ROW.matcher(name).matches())
                .sorted()
                .collect(Collectors.joining(" "));
        if (!rows.isEmpty()
                && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL
                && test.getSource().orElse(null) instanceof MethodSource source) {
            String name =
                    source.getClassName() + "#" + source.getMethodName() + "(" + source.getMethodParameterTypes() + ")";
            rowsByTest.put(name, rows);
            linesByTest.computeIfAbsent(name, any -> new BitSet()).or(lines);
        }
    }
}
