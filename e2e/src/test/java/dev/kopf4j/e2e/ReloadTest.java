package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code kopf4j run --reload}, in a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class ReloadTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeManifests() throws IOException {
        Files.writeString(folder.resolve("manifests.yaml"), StartedOperatorTest.MANIFESTS);
    }

    private void write(String version, String more) throws IOException {
        Files.writeString(folder.resolve("Example.java"), """
                import dev.kopf4j.*;
                import java.time.Duration;
                import org.slf4j.Logger;

                class Example {
                    @OnStartup
                    void start(Memo memo, Logger logger) {
                        logger.info("start %1$s after {}", memo.put("version", "%1$s"));
                    }

                    @OnIndex("kopfexamples")
                    String names(String name) { return name; }

                    @OnTimer(value = "kopfexamples", interval = "100ms")
                    void tick(Memo memo, Index<Void, String> names, Logger logger) {
                        logger.info("tick of %1$s, for {} objects, born with {}", names.size(), memo.get("born"));
                    }

                    @OnCreate("kopfexamples")
                    void create(Memo memo, Logger logger) {
                        memo.put("born", "%1$s");
                        memo.put("own", new Own());
                        logger.info("created by %1$s");
                    }

                    @OnCreate("kopfexamples")
                    void later(int retry, Logger logger) {
                        if ("%1$s".equals("one")) {
                            throw new TemporaryException("not by this one", Duration.ofMillis(100));
                        }
                        logger.info("later by %1$s, a retry: {}", retry > 0);
                    }

                    record Own() {}

                    @OnCleanup
                    void bye(Logger logger) { logger.info("bye of %1$s"); }
                    %2$s
                }
                """.formatted(version, more));
    }

    @Test
    @Tag("P13")
    void changedSourcesTakeOverAndBrokenOnesDoNot() throws Exception {
        write("one", "");
        try (var program = Kopf4j.startIn(folder, "run", "--reload", "--devcluster", "Example.java")) {
            program.awaitNextLog("start one after null", Kopf4j.PATIENCE);
            program.awaitNextLog("created by one", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of one", Kopf4j.PATIENCE);

            write("broken", "int size = \"three\";");
            program.awaitNextLog("error: incompatible types", Kopf4j.PATIENCE);
            program.awaitNextLog("The handlers before go on", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of one", Kopf4j.PATIENCE);

            write("wrong", "@OnCreate(\"pods\") void fn(Thread unknown) {}");
            program.awaitNextLog("The handlers before go on", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of one", Kopf4j.PATIENCE);

            write("clumsy", "static final int SIZE = Integer.parseInt(\"three\");");
            program.awaitNextLog("The handlers before go on", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of one", Kopf4j.PATIENCE);

            write("two", "");
            program.awaitNextLog("bye of one", Kopf4j.PATIENCE);
            program.awaitNextLog("Memos begin without: [own].", Kopf4j.PATIENCE);
            program.awaitNextLog("start two after one", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of two, for 1 objects, born with one", Kopf4j.PATIENCE);
            program.awaitNextLog("tick of two", Kopf4j.PATIENCE);
            program.awaitLog("later by two, a retry: true", Kopf4j.PATIENCE); // before or after the ticks
            assertThat(program.errors().lines().dropWhile(line -> !line.contains("tick of two")))
                    .noneMatch(line -> line.contains("tick of one"));
            assertThat(program.logged("created by two")).isZero();

            program.signal("TERM");
            program.awaitNextLog("bye of two", Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isZero();
        }
    }

    @Test
    @Tag("P13")
    void anOperatorThatFailsIsTriedAgainWhenItsSourceChanges() throws Exception {
        write("one", "@OnStartup void fail() { throw new PermanentException(\"no such thing\"); }");
        try (var program = Kopf4j.startIn(folder, "run", "--reload", "--devcluster", "Example.java")) {
            program.awaitNextLog("The next change of the files starts it again", Kopf4j.PATIENCE);
            write("two", "");
            program.awaitNextLog("created by two", Kopf4j.PATIENCE);
        }
    }

    @Test
    void aCleanupThatFailsEndsTheProgramWithAFailure() throws Exception {
        write("one", "@OnCleanup void fail() { throw new PermanentException(\"still in use\"); }");
        try (var program = Kopf4j.startIn(folder, "run", "--reload", "--devcluster", "Example.java")) {
            program.awaitNextLog("tick of one", Kopf4j.PATIENCE);
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(1);
            assertThat(program.errors()).contains("The operator has stopped, but not cleaned up: ");
        }
    }
}
