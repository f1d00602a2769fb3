package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that builds its operator itself, as an account that lacks rights. */
class RightsOfAProgramTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("O08")
    void whatIsMissingIsToldWithWhoNeedsItAlsoWhatWasDeclaredOfFunctions() throws IOException {
        try (DevCluster cluster =
                DevCluster.start(Options.defaults().https(true).rbac(true))) {
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig("poor"));
            List<String> command = Kopf4j.java(ProgramOfAUser.class, kubeconfig.toString(), "run");
            try (RunningProgram program = RunningProgram.start(Kopf4j.ROOT, Map.of(), command)) {
                program.awaitLog("  list of pods cluster-wide, for policyRule of the operator", Kopf4j.PATIENCE);
                assertThat(program.errors())
                        .containsOnlyOnce("The operator's account lacks rights")
                        .contains("\n  list, watch of configmaps cluster-wide, for @OnCreate 'make'\n");
            }
        }
    }
}
