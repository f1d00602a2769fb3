package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of users, which call {@code Operator.run()}, and the signals that stop them. */
@DisabledOnOs(OS.WINDOWS)
@Tag("P07")
class SignalledProgramTest {
    private static DevCluster cluster;
    private static Path kubeconfig;

    @BeforeAll
    static void startCluster(@TempDir Path folder) {
        kubeconfig = folder.resolve("kubeconfig");
        cluster = DevCluster.start(Options.defaults().https(true));
        cluster.writeKubeconfig(kubeconfig);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private static RunningProgram ready(String how) {
        RunningProgram program = start(Kopf4j.java(ProgramOfAUser.class, kubeconfig.toString(), how));
        program.awaitOutput("ready", Kopf4j.PATIENCE);
        return program;
    }

    private static RunningProgram start(List<String> command) {
        return RunningProgram.start(Kopf4j.ROOT, Map.of(), command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "start with signals"})
    void aSignalLetsTheOperatorCleanUpAndTheProgramGoOn(String how) {
        try (RunningProgram program = ready(how)) {
            program.terminate();
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
            assertThat(program.output()).contains("cleaned up", "after the operator");
        }
    }

    @Test
    void signalsMayBeLeftToTheApplication() {
        try (RunningProgram program = ready("run without signals")) {
            program.terminate();
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isEqualTo(143);
            assertThat(program.output()).doesNotContain("cleaned up", "after the operator");
        }
    }

    @Test
    void aSecondSignalEndsTheProgramAtOnce() throws Exception {
        try (RunningProgram program = ready("hang")) {
            program.terminate();
            program.awaitOutput("cleaned up", Kopf4j.PATIENCE);
            assertThat(program.insist("TERM")).as("%s", program).isEqualTo(143);
            assertThat(program.output()).doesNotContain("after the operator");
        }
    }

    @Test
    @Tag("P08")
    void aProgramThatLogsNothingIsToldWhatToAdd() {
        String withoutBackend = Arrays.stream(
                        System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1))
                .filter(entry -> !entry.contains("logback"))
                .collect(Collectors.joining(java.io.File.pathSeparator));
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                withoutBackend,
                ProgramOfAUser.class.getName(),
                kubeconfig.toString(),
                "run");
        try (RunningProgram program = start(command)) {
            program.awaitOutput("ready", Kopf4j.PATIENCE);
            assertThat(program.errors()).contains("nothing is logged", "add ch.qos.logback:logback-classic");
        }
    }
}
