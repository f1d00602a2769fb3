package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCommandTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("K03")
    @Tag("K01")
    void printsEachValueWithItsOrigin() throws IOException {
        Path file =
                Files.writeString(folder.resolve("kopf4j.yaml"), "posting: {enabled: false}\npeering: {priority: 5}\n");

        var result = CommandRun.with(
                Map.of("KOPF4J_SETTINGS_NETWORKING_TRUST_ENV", "yes", "KOPF4J_CONFIG_PEERING", "mine"),
                "config",
                "--config",
                file.toString(),
                "--dev");
        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out())
                .containsPattern("  enabled: false +# the file " + file)
                .containsPattern("  trustEnv: true +# the variable KOPF4J_SETTINGS_NETWORKING_TRUST_ENV")
                .containsPattern("  priority: 666 +# the option --dev")
                .containsPattern("  name: mine +# the option --peering")
                .containsPattern("  mandatory: true +# the option --peering")
                .containsPattern("  finalizer: kopf.zalando.org/KopfFinalizerMarker +# default");
    }

    @ParameterizedTest
    @Tag("K03")
    @CsvSource({"--dev -p 5", "-p 5 --dev", "--dev --priority=1000"})
    void theDevelopersPriorityIsStrongerThanANumber(String options) {
        assertThat(CommandRun.of(("config --changed " + options).split(" ", -1)).out())
                .containsPattern("  priority: 666 +# the option --dev");
        assertThat(CommandRun.of("config", "--changed").out()).isEmpty();
    }

    @ParameterizedTest
    @Tag("K01")
    @CsvSource({
        "PRIORITY, 7, -p 7, priority: 7 +# the option --priority",
        "PRIORITY, -7, --priority=-7, priority: '-7' +# the option --priority",
        "DEV, true, --dev, priority: 666 +# the option --dev",
        "PEERING, mine, -P mine, name: mine +# the option --peering",
        "PEERING, mine, --peering mine, mandatory: true +# the option --peering",
        "STANDALONE, true, --standalone, standalone: true +# the option --standalone",
        "LEADER_ELECT, true, --leader-elect, enabled: true +# the option --leader-elect"
    })
    void optionsAndTheirVariablesChangeSettings(String variable, String value, String option, String line) {
        assertThat(CommandRun.of(("config " + option).split(" ", -1)).out()).containsPattern("\n  " + line);
        assertThat(CommandRun.with(Map.of("KOPF4J_CONFIG_" + variable, value), "config")
                        .out())
                .containsPattern("\n  " + line);
    }

    @Test
    @Tag("B12")
    @Tag("K01")
    void anySettingCanBeGivenAsAnOption() {
        assertThat(CommandRun.of("config", "--set", "queueing.workerLimit=none", "--set=posting.level=warn")
                        .out())
                .containsPattern("  workerLimit: none +# the option --set")
                .containsPattern("  level: warn +# the option --set");
        assertThat(CommandRun.with(
                                Map.of("KOPF4J_CONFIG_SET", "queueing.workerLimit=none posting.level=warn"), "config")
                        .out())
                .containsPattern("  workerLimit: none +# the option --set")
                .containsPattern("  level: warn +# the option --set");
        var unknown = CommandRun.of("config", "--set", "queueing.workerlimits=none");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("did you mean 'queueing.workerLimit'?");
    }

    @ParameterizedTest
    @Tag("K01")
    @CsvSource({
        "RUN_PRIORITY=7, priority: 7 +# the option --priority",
        "RUN_PRIORITY=7 CONFIG_PRIORITY=8, priority: 8 +# the option --priority",
        "RUN_DEV=true, priority: 666 +# the option --dev",
        "RUN_SET=posting.level=warn, level: warn +# the option --set",
        "RUN_SET=posting.level=warn CONFIG_SET=posting.level=error, level: error +# the option --set"
    })
    void showsWhatTheVariablesOfRunGiveToIt(String variables, String line) {
        Map<String, String> environment = Arrays.stream(variables.split(" ", -1))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> "KOPF4J_" + each[0], each -> each[1]));
        var run = CommandRun.with(environment, "config", "--changed");
        assertThat(run.out()).containsPattern("\n  " + line);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void namesTheVariableOfRunThatCannotBeUnderstood() {
        var run = CommandRun.with(Map.of("KOPF4J_RUN_DEV", "treu", "KOPF4J_CONFIG_CHANGED", "true"), "config");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("the variable KOPF4J_RUN_DEV must be true or false", "'treu'");
        assertThat(CommandRun.with(Map.of("KOPF4J_CONFIG_DEV", "treu"), "config")
                        .err())
                .contains("the variable KOPF4J_CONFIG_DEV must be true or false");
    }

    @Test
    void whatIsPrintedCanBeGivenBack() throws IOException {
        Path file = Files.writeString(
                folder.resolve("all.yaml"), CommandRun.of("config").out());

        assertThat(CommandRun.of("config", "--config", file.toString()).out().lines())
                .filteredOn(line -> line.startsWith("  "))
                .hasSizeGreaterThan(40)
                .allMatch(line -> line.endsWith("# the file " + file));
    }

    @Test
    void showsOnlyWhatWasChangedIfThatIsWanted() {
        var result = CommandRun.with(Map.of("KOPF4J_SETTINGS_POSTING_LEVEL", "warn"), "config", "--changed");

        assertThat(result.out().lines()).hasSize(2).first().isEqualTo("posting:");
    }

    @Test
    void refusesUnknownAndMalformedSettingsAsWrongUsage() throws IOException {
        var unknown = CommandRun.with(Map.of("KOPF4J_SETTINGS_PEERING_PRIO", "1"), "config");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("did you mean 'KOPF4J_SETTINGS_PEERING_PRIORITY'?");

        Path file = Files.writeString(folder.resolve("bad.yaml"), "peering: {priority: high}");
        var malformed = CommandRun.of("run", "--config", file.toString(), "-A", source().toString());
        assertThat(malformed.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(malformed.err())
                .contains("kopf4j: " + file + ": the setting 'peering.priority' must be a whole number, but is 'high'");

        var missing =
                CommandRun.of("config", "--config", folder.resolve("none.yaml").toString());
        assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(missing.err())
                .contains(
                        "the settings cannot be read from " + folder.resolve("none.yaml") + ": there is no such file");
    }

    @Test
    void refusesFilesThatHoldNoSettings() throws IOException {
        var folderResult = CommandRun.of("config", "--config", folder.toString());
        assertThat(folderResult.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(folderResult.err()).contains("the settings cannot be read from " + folder + ": it is a folder");

        Path text = Files.writeString(folder.resolve("text.yaml"), "just text");
        var textResult = CommandRun.of("config", "--config", text.toString());
        assertThat(textResult.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(textResult.err())
                .contains(text + ": there must be a mapping of settings (peering: {priority: 100})");

        Path broken = Files.writeString(folder.resolve("broken.yaml"), "peering: {priority: [");
        var brokenResult = CommandRun.of("config", "--config", broken.toString());
        assertThat(brokenResult.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(brokenResult.err()).contains(broken + " is not YAML", "line 1, column 22");
    }

    private Path source() throws IOException {
        return Files.writeString(
                folder.resolve("Example.java"), "class Example { @dev.kopf4j.OnCreate(\"pods\") void fn() {} }");
    }

    @Test
    void completionKnowsCommandsAndOptions() {
        var result = CommandRun.of("completion");

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out()).contains("devcluster").contains("--liveness").contains("complete -F");
    }

    @Test
    void refusesAddressesThatNobodyCanServeAt() throws IOException {
        for (String url :
                new String[] {"https://localhost:1/x", "localhost:8080", "http://localhost:99999/x", "8080"}) {
            var result = CommandRun.of("run", "-A", "--liveness", url, source().toString());
            assertThat(result.exitCode()).as(url).isEqualTo(ExitCode.USAGE);
            assertThat(result.err())
                    .startsWith("kopf4j: ")
                    .containsAnyOf("http", "port")
                    .doesNotContain("Exception");
        }
    }
}
