package dev.kopf4j.cli;

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
        Files.writeString(folder.resolve("manifests.yaml"), RunCommandTest.MANIFESTS);
    }

    private void write(String version, String more) throws IOException {
        Files.writeString(folder.resolve("Example.java"), """
                import dev.kopf4j.*;
                import org.slf4j.Logger;

                class Example {
                    @OnStartup
                    void start(Memo memo, Logger logger) {
                        logger.info("start %1$s after {}", memo.put("version", "%1$s"));
                    }

                    @OnTimer(value = "kopfexamples", interval = "100ms")
                    void tick(Logger logger) { logger.info("tick of %1$s"); }

                    @OnCreate("kopfexamples")
                    void create(Logger logger) { logger.info("created by %1$s"); }

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
        try (var program = ProgramProcess.start(folder, "run", "--reload", "--devcluster", "Example.java")) {
            program.awaitErr("start one after null");
            program.awaitErr("created by one");
            program.awaitErr("tick of one");

            write("broken", "int size = \"three\";");
            program.awaitErr("error: incompatible types");
            program.awaitErr("The handlers before go on");
            program.awaitErr("tick of one");

            write("wrong", "@OnCreate(\"pods\") void fn(Thread unknown) {}");
            program.awaitErr("The handlers before go on");
            program.awaitErr("tick of one");

            write("two", "");
            program.awaitErr("bye of one");
            program.awaitErr("start two after one");
            program.awaitErr("tick of two");
            int before = program.seen().size();
            program.awaitErr("tick of two");
            assertThat(program.seen().subList(before, program.seen().size()))
                    .noneMatch(line -> line.contains("tick of one"));
            assertThat(program.seen()).noneMatch(line -> line.contains("created by two"));

            program.signal("TERM");
            program.awaitErr("bye of two");
            assertThat(program.awaitExit()).isZero();
        }
    }

    @Test
    @Tag("P13")
    void anOperatorThatFailsIsTriedAgainWhenItsSourceChanges() throws Exception {
        write("one", "@OnStartup void fail() { throw new PermanentException(\"no such thing\"); }");
        try (var program = ProgramProcess.start(folder, "run", "--reload", "--devcluster", "Example.java")) {
            program.awaitErr("The next change of the files starts it again");
            write("two", "");
            program.awaitErr("created by two");
        }
    }
}
