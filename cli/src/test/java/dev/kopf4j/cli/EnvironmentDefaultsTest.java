package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class EnvironmentDefaultsTest {
    @Command(name = "kopf4j")
    static final class Program {}

    @Command(name = "run")
    static final class Example {
        @Option(names = "--log-format", defaultValue = "full")
        private String format = "";

        @Option(
                names = {"-n", "--namespace"},
                split = "[\\s,]+",
                splitSynopsisLabel = ",")
        private List<String> namespaces = new ArrayList<>();

        @Option(names = "--port", defaultValue = "6443")
        private int port;

        @Option(names = "--liveness")
        private @Nullable String liveness;

        @Option(names = "--all-namespaces")
        private boolean allNamespaces;

        @Option(names = "--quiet")
        private boolean quiet;

        @Option(names = "--prefix", negatable = true)
        private @Nullable Boolean prefix;

        @ArgGroup
        private Way way = new Way();

        @Parameters
        private List<String> files = new ArrayList<>();
    }

    static final class Way {
        @Option(names = "--drain")
        private boolean drain;

        @Option(names = "--orphan")
        private boolean orphan;
    }

    @Test
    void theCommandLineDecidesOnFlagsThatExcludeEachOther() {
        Way way = parse(Map.of("KOPF4J_RUN_ORPHAN", "true"), "--drain").way;
        assertThat(way.drain).isTrue();
        assertThat(way.orphan).isFalse();
    }

    @Test
    @Tag("L48")
    void takesAnOptionFromTheEnvironment() {
        assertThat(parse(Map.of("KOPF4J_RUN_LOG_FORMAT", "json")).format).isEqualTo("json");
    }

    @Test
    void prefersTheOptionThatWasGiven() {
        assertThat(parse(Map.of("KOPF4J_RUN_LOG_FORMAT", "json"), "--log-format", "plain").format)
                .isEqualTo("plain");
    }

    @Test
    void keepsTheOptionsOwnDefaultOtherwise() {
        assertThat(parse(Map.of("KOPF4J_RUN_LOG_FORMAT", " ")).format).isEqualTo("full");
    }

    @Test
    void splitsSeveralValuesAtSpacesAndKnowsThePlural() {
        var environment = Map.of("KOPF4J_RUN_NAMESPACES", " one  two ", "KOPF4J_RUN_NAMESPACE", "three");

        assertThat(parse(environment).namespaces).containsExactly("three", "one", "two");
    }

    /** Those that may have spaces themselves have lines of their own. */
    @ParameterizedTest
    @CsvSource({
        "--name, a  b, a|b",
        "--runtime-config, api/beta batch/v1beta1, api/beta|batch/v1beta1",
        "--runtime-config, 'api/beta,batch/v1beta1', api/beta|batch/v1beta1",
        "--apply, my folder/a.yaml, my folder/a.yaml",
        "--apply, 'my folder/a.yaml\n  b.yaml\n', my folder/a.yaml|b.yaml",
        "--fault, 'GET /a 429\nGET /b 500', GET /a 429|GET /b 500",
    })
    void takesSeveralValuesOfOneVariable(String option, String value, String taken) {
        String name =
                "KOPF4J_DEVCLUSTER_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        List<?> values = Main.commandLine(Map.of(name, value), "devcluster")
                .parseArgs("devcluster")
                .subcommand()
                .commandSpec()
                .findOption(option)
                .getValue();
        assertThat(values.stream().map(Object::toString)).containsExactly(taken.split("\\|", -1));
    }

    @Test
    void eachRepeatableOptionTakesSeveralValuesOfOneVariable() {
        List<OptionSpec> options = new ArrayList<>();
        collect(Main.commandLine(Map.of()), options);
        assertThat(options)
                .filteredOn(OptionSpec::isMultiValue)
                .isNotEmpty()
                .allSatisfy(option -> assertThat("a\nb".split(option.splitRegex(), -1))
                        .as("%s %s", option.command().qualifiedName(), option.longestName())
                        .hasSize(2));
    }

    private static void collect(CommandLine line, List<OptionSpec> options) {
        options.addAll(line.getCommandSpec().options());
        line.getSubcommands().values().forEach(each -> collect(each, options));
    }

    @Test
    @Tag("L48")
    void leavesAddressesOfServicesAlone() {
        assertThat(parse(Map.of("KOPF4J_RUN_PORT", "tcp://10.96.0.7:8080")).port)
                .isEqualTo(6443);
        assertThat(parse(Map.of("KOPF4J_RUN_PORT", "udp://[fd00::7]:8080")).port)
                .isEqualTo(6443);
        assertThat(parse(Map.of("KOPF4J_RUN_PORT", "8080")).port).isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "YES, true", "on, true", "1, true", "false, false", "no, false", "Off, false", "0, false"
    })
    void understandsTheUsualWordsForFlags(String word, boolean meant) {
        assertThat(parse(Map.of("KOPF4J_RUN_QUIET", word)).quiet).isEqualTo(meant);
        assertThat(parse(Map.of("KOPF4J_RUN_PREFIX", word)).prefix).isEqualTo(meant);
    }

    @Test
    void refusesOtherWordsForFlags() {
        assertThatExceptionOfType(CommandLine.ParameterException.class)
                .isThrownBy(() -> parse(Map.of("KOPF4J_RUN_QUIET", "treu")))
                .withMessageContaining("KOPF4J_RUN_QUIET must be true or false")
                .withMessageContaining("'treu'");
    }

    @Test
    void takesFlags() {
        assertThat(parse(Map.of("KOPF4J_RUN_QUIET", "true")).quiet).isTrue();
    }

    @Test
    void aFlagThatIsGivenTwiceIsStillSet() {
        assertThat(parse(Map.of("KOPF4J_RUN_QUIET", "true"), "--quiet").quiet).isTrue();
    }

    @Test
    void takesNegatableFlagsBothWays() {
        assertThat(parse(Map.of()).prefix).isNull();
        assertThat(parse(Map.of("KOPF4J_RUN_PREFIX", "false")).prefix).isFalse();
        assertThat(parse(Map.of("KOPF4J_RUN_PREFIX", "false"), "--prefix").prefix)
                .isTrue();
        assertThat(parse(Map.of("KOPF4J_RUN_PREFIX", "true"), "--no-prefix").prefix)
                .isFalse();
    }

    @Test
    void takesTheNamesOfKopfWhereTheyDifferFromThoseOfOptions() {
        assertThat(parse(Map.of("KOPF4J_RUN_LIVENESS_ENDPOINT", "http://:8080")).liveness)
                .isEqualTo("http://:8080");
        assertThat(parse(Map.of("KOPF4J_RUN_LIVENESS_ENDPOINT", "http://:8080", "KOPF4J_RUN_LIVENESS", "http://:1"))
                        .liveness)
                .isEqualTo("http://:1");
        assertThat(parse(Map.of("KOPF4J_RUN_CLUSTERWIDE", "true")).allNamespaces)
                .isTrue();
        assertThat(parse(Map.of("KOPF4J_RUN_ALL_NAMESPACES", "1")).allNamespaces)
                .isTrue();
    }

    @Test
    void tellsVariablesThatAreNoOptions() {
        var line = new CommandLine(new Program()).addSubcommand("run", new Example());
        var environment = Map.of(
                "KOPF4J_RUN_LIVENES", "x",
                "KOPF4J_RUN_NAMESPACES", "a",
                "KOPF4J_RUN_CLUSTERWIDE", "true",
                "KOPF4J_RUN_LOG_FORMAT", "full",
                "KOPF4J_OTHER_THING", "x",
                "KOPF4J_RUN_WEB_SERVICE_HOST", "10.96.0.7",
                "KOPF4J_RUN_WEB_SERVICE_PORT_HTTP", "80",
                "KOPF4J_RUN_WEB_PORT", "tcp://10.96.0.7:80",
                "KOPF4J_RUN_WEB_PORT_80_TCP_ADDR", "10.96.0.7");
        var run = Objects.requireNonNull(line.getSubcommands().get("run")).getCommandSpec();
        assertThat(new EnvironmentDefaults(environment).unknown(run)).containsExactly("KOPF4J_RUN_LIVENES");
    }

    /** Also those of {@code bin/find-jdk}, which {@code bin/kopf4j} calls, and of the dev cluster's launcher. */
    @Test
    void leavesTheVariablesOfTheScriptsAlone() {
        Map<String, String> environment = Map.of(
                "KOPF4J_CACHE", "off",
                "KOPF4J_JAVA_OPTS", "-Xmx64m",
                "KOPF4J_JDK_FOLDERS", "/opt",
                "KOPF4J_DEVCLUSTER", "/opt/devcluster",
                "KOPF4J_RUNNING_DEVCLUSTER", "/tmp/kubeconfig",
                "KOPF4J_CASH", "off");
        assertThat(new EnvironmentDefaults(environment)
                        .unknown(Main.commandLine(environment).getCommandSpec()))
                .containsExactly("KOPF4J_CASH");
    }

    @Test
    void takesNoFilesFromTheEnvironment() {
        assertThat(parse(Map.of("KOPF4J_RUN_FILES", "Example.java")).files).isEmpty();
    }

    private static Example parse(Map<String, String> environment, String... arguments) {
        var example = new Example();
        var line = new CommandLine(new Program()).addSubcommand("run", example);
        var defaults = new EnvironmentDefaults(environment);
        line.setDefaultValueProvider(defaults);
        var all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        var parsed = line.parseArgs(all.toArray(String[]::new));
        defaults.setFlags(parsed.subcommand());
        return example;
    }
}
