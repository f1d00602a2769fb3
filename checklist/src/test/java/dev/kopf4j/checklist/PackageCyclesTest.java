package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds that packages of a module use each other in one direction only, as {@code checklist/counts} sees it. */
class PackageCyclesTest {
    private static final Path ROOT = Path.of("..");

    private static final Pattern MODULE = Pattern.compile("(?<name>[a-z]\\S*) +[\\d,]+ .*");
    private static final Pattern CYCLE = Pattern.compile(" +cycle of .* closed by nothing but (?<classes>.*): .*");

    @TempDir
    private Path folder;

    /**
     * Users begin in classes of {@code core} that make what is in the packages above, and in an annotation of the
     * testing kit that names its extension: docs/decisions.md says why.
     */
    @Test
    void noModuleHasACycleButForTheClassesInWhichUsersBegin() throws Exception {
        assertThat(cycles(ROOT))
                .containsExactlyInAnyOrder(
                        "core: dev.kopf4j.Body, dev.kopf4j.Kopf, dev.kopf4j.Operator, dev.kopf4j.View",
                        "testing: dev.kopf4j.testing.KopfTest");
    }

    @Test
    void seesACycle() throws Exception {
        write("one/src/main/java/up/Up.java", "package up; class Up { down.Down down; }");
        write("one/src/main/java/down/Down.java", "package down; public class Down {}");
        write("two/src/main/java/left/Left.java", "package left; public class Left { right.Right right; }");
        write("two/src/main/java/right/Right.java", "package right; public class Right { left.Left left; }");
        assertThat(cycles(folder)).containsExactly("two: left.Left");
    }

    private void write(String file, String content) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    /** The module of each cycle, and the classes that close it. */
    private static List<String> cycles(Path root) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        ROOT.resolve("checklist/Counts.java").toString(),
                        root.toString(),
                        "--list")
                .redirectErrorStream(true)
                .start();
        List<String> cycles = new ArrayList<>();
        String module = "";
        int modules = 0;
        List<String> lines = process.inputReader().readAllLines();
        for (String line : lines) {
            Matcher named = MODULE.matcher(line);
            Matcher cycle = CYCLE.matcher(line);
            if (named.matches()) {
                module = named.group("name");
                modules++;
            } else if (cycle.matches()) {
                cycles.add(module + ": " + cycle.group("classes"));
            }
        }
        assertThat(process.waitFor()).as("the exit code, and: %s", lines).isZero();
        assertThat(modules).as("the modules of: %s", lines).isPositive();
        return cycles;
    }
}
