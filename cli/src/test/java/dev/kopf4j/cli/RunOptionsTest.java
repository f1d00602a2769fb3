package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.engine.OperatorPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the options of {@code kopf4j run} make of an operator. Tests {@link RunCommand}. */
class RunOptionsTest {
    private static final Path CREDENTIALS = Path.of("credentials");

    @SuppressWarnings("UnusedMethod") // the framework calls it
    private static final class Example {
        private Example() {}

        @OnCreate("kopfexamples")
        void fn() {}
    }

    private static OperatorPlan plan(Map<String, String> environment, String... options) {
        return plan(command(environment, options));
    }

    private static OperatorPlan plan(RunCommand command) {
        return OperatorPlan.of(command.configured(List.of(Example.class), CREDENTIALS));
    }

    private static RunCommand command(Map<String, String> environment, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(List.of(options));
        CommandLine line = Main.commandLine(environment, arguments.toArray(String[]::new));
        CommandLine.ParseResult parsed =
                line.parseArgs(arguments.toArray(String[]::new)).subcommand();
        new EnvironmentDefaults(environment).setFlags(parsed);
        return (RunCommand) parsed.commandSpec().userObject();
    }

    private static String namespaces(OperatorPlan plan) {
        return String.valueOf(plan.namespaces());
    }

    @Test
    @Tag("K01")
    void withoutNamespacesItIsTheWholeCluster() {
        assertThat(namespaces(plan(Map.of()))).isEqualTo("[]");
        assertThat(namespaces(plan(Map.of(), "-A"))).isEqualTo("[]");
        assertThat(namespaces(plan(Map.of("KOPF4J_RUN_ALL_NAMESPACES", "true"))))
                .isEqualTo("[]");
    }

    /** The operator itself warns if nobody has said where. */
    @Test
    @Tag("K01")
    void whatNobodyHasSaidIsLeftOpenButOnADevCluster() {
        assertThat(plan(Map.of()).scope().isChosen()).isFalse();
        assertThat(plan(Map.of(), "-A").scope().isChosen()).isTrue();
        assertThat(plan(Map.of(), "-n", "a").scope().isChosen()).isTrue();
        assertThat(plan(Map.of(), "--devcluster").scope().isChosen()).isTrue();
    }

    /** Each change of a source makes another operator, which would warn, too. */
    @Test
    @Tag("K01")
    void operatorsAfterAReloadDoNotWarnAgain() {
        RunCommand command = command(Map.of(), "--reload");
        assertThat(plan(command).scope().isChosen()).isFalse();
        assertThat(command.operator(List.of(Example.class), CREDENTIALS)).isNotNull();
        assertThat(plan(command).scope().isChosen()).isTrue();
        assertThat(namespaces(plan(command))).isEqualTo("[]");
    }

    @Test
    @Tag("K01")
    void theGivenNamespacesAndPatternsAreWatched() {
        assertThat(namespaces(plan(Map.of(), "-n", "a", "--namespace=team-*"))).isEqualTo("[a, team-*]");
        assertThat(namespaces(plan(Map.of(), "-n", " a", "-n", "\n b \tc "))).isEqualTo("[a, b, c]");
        assertThat(namespaces(plan(Map.of("KOPF4J_RUN_NAMESPACES", "a  b")))).isEqualTo("[a, b]");
        assertThat(namespaces(plan(Map.of("KOPF4J_RUN_NAMESPACE", "a"), "-n", "b")))
                .isEqualTo("[b]");
    }

    @ParameterizedTest
    @Tag("K01")
    @CsvSource({"LIVENESS, --liveness", "LIVENESS, -L", "READINESS, --readiness", "METRICS, --metrics"})
    void addressesAreTakenForTheirPages(String variable, String option) {
        String url = "http://localhost:8080/" + variable;
        for (OperatorPlan plan : List.of(plan(Map.of(), option, url), plan(Map.of("KOPF4J_RUN_" + variable, url)))) {
            assertThat(String.valueOf((Object) plan.reports().probeAddresses()))
                    .containsOnlyOnce("/" + variable)
                    .contains(option.length() == 2 ? "liveness=" : option.substring(2) + "=")
                    .containsPattern("(?i)" + variable + "=[^=]*8080");
        }
    }

    @Test
    @Tag("K01")
    @Tag("K03")
    void settingsAreTakenFromAllPlaces(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("kopf4j.yaml"), "posting: {enabled: false}");
        var settings = plan(
                        Map.of("KOPF4J_SETTINGS_PEERING_NAME", "mine"),
                        "--config",
                        file.toString(),
                        "--standalone",
                        "--leader-elect",
                        "--dev",
                        "-p",
                        "5")
                .settings();
        assertThat(settings.posting().enabled()).isFalse();
        assertThat(settings.peering().name()).isEqualTo("mine");
        assertThat(settings.peering().standalone()).isTrue();
        assertThat(settings.leaderElection().enabled()).isTrue();
        assertThat(settings.peering().priority()).isEqualTo(666);
        assertThat(plan(Map.of(), "--shards", "64").settings().sharding().shards())
                .isEqualTo(64);
        var plain = plan(Map.of()).settings();
        assertThat(plain.values())
                .isEqualTo(OperatorPlan.of(Operator.builder()).settings().values());
    }

    /** Of what excludes each other, the command line decides: an image or a chart may have the variables. */
    @Test
    @Tag("K01")
    void thePeeringOfTheCommandLineWinsOverTheEnvironments() {
        var alone = plan(Map.of("KOPF4J_RUN_PEERING", "theirs"), "--standalone").settings();
        assertThat(alone.peering().standalone()).isTrue();
        assertThat(alone.peering().name()).isEqualTo("default");
        assertThat(alone.peering().mandatory()).isFalse();

        var peering = plan(Map.of("KOPF4J_RUN_STANDALONE", "true"), "--peering", "mine")
                .settings();
        assertThat(peering.peering().standalone()).isFalse();
        assertThat(peering.peering().name()).isEqualTo("mine");

        assertThatThrownBy(() -> plan(Map.of("KOPF4J_RUN_STANDALONE", "true", "KOPF4J_RUN_PEERING", "mine")))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> plan(Map.of(), "--standalone", "--peering", "mine"))
                .hasMessageContaining("exclude each other");
    }

    @Test
    @Tag("K01")
    void handlersAndCredentialsAreThoseGiven() {
        OperatorPlan plan = plan(Map.of());
        assertThat(plan.login().kubeconfig()).isEqualTo(Path.of("credentials"));
        assertThat(plan.registrations()).hasSize(1);
    }
}
