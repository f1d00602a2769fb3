package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Programs of the system that end by themselves. */
final class Programs {
    private Programs() {}

    /** Runs one, which must end with 0. */
    static void run(Map<String, String> environment, String... command) {
        try (RunningProgram program = RunningProgram.start(Path.of("."), environment, List.of(command))) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
        }
    }
}
