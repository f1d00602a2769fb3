package dev.kopf4j.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

class EnvironmentSettingsTest {
    private static OperatorSettings read(
            Map<String, Object> variables, Map<String, Object> properties, Map<String, Object> file) {
        return read(variables, properties, new MapPropertySource("application.properties", file));
    }

    private static OperatorSettings read(
            Map<String, Object> variables, Map<String, Object> properties, PropertySource<?> file) {
        StandardEnvironment environment = new StandardEnvironment();
        var sources = environment.getPropertySources();
        sources.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment", variables));
        sources.replace("systemProperties", new MapPropertySource("systemProperties", properties));
        sources.addLast(file);
        OperatorSettings settings = new OperatorSettings();
        new EnvironmentSettings(environment).applyTo(settings);
        return settings;
    }

    @Test
    @Tag("P11")
    void understandsTheNamesOfOtherApplications() {
        OperatorSettings settings = read(
                Map.of("KOPF4J_SETTINGS_PEERING_PRIORITY", "7", "KOPF4J_SETTINGS_QUEUEING_WORKER_LIMIT", "5"),
                Map.of("kopf4j.settings.console.port", "4000"),
                Map.of("kopf4j.peering.priority", "1", "kopf4j.queueing.workerLimit", "3"));

        assertThat(settings.peering().priority()).isEqualTo(7);
        assertThat(settings.queueing().workerLimit()).isEqualTo(5);
        assertThat(settings.console().port()).isEqualTo(4000);
    }

    @Test
    @Tag("P11")
    void leavesAloneWhatIsNoSettingInTheEnvironmentAndSystemProperties() {
        OperatorSettings settings = read(
                Map.of(
                        "KOPF4J_DEVCLUSTER", "/opt/kopf4j",
                        "KOPF4J_WEBSITES_SERVICE_HOST", "10.96.0.8",
                        "KOPF4J_DEVCLUSTER_PORT", "tcp://10.96.0.7:6443",
                        "KOPF4J_PORT_443_TCP_ADDR", "10.96.0.9",
                        "KOPF4J_CONSOLE_PORT", "tcp://10.96.0.9:443"),
                Map.of("kopf4j.test.cluster", "kind", "kopf4j.seeds", "100"),
                Map.of("kopf4j.console.port", "4000"));

        assertThat(settings.console().port()).isEqualTo(4000);
    }

    @Test
    @Tag("P11")
    void takesSettingsOfTheEnvironmentInSpringsSpelling() {
        OperatorSettings named =
                read(Map.of("KOPF4J_OPERATOR_NAME", "sites"), Map.of(), Map.of("kopf4j.operator.name", "file"));
        assertThat(named.leaderElection().leaseName()).isEqualTo("sites");
        assertThat(named.children().fieldManager()).isEqualTo("sites");
        assertThat(read(Map.of("KOPF4J_PEERING_PRIORITY", "7"), Map.of(), Map.of())
                        .peering()
                        .priority())
                .isEqualTo(7);
    }

    @Test
    @Tag("P11")
    void refusesUnknownNamesOfFilesAndBelowSettings() {
        assertThatThrownBy(() -> read(Map.of(), Map.of(), Map.of("kopf4j.peering.priorities", "7")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("peering.priority");
        assertThatThrownBy(() -> read(Map.of(), Map.of(), Map.of("kopf4j.settings.peering.priorities", "7")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("peering.priority");
        assertThatThrownBy(() -> read(Map.of("KOPF4J_SETTINGS_PEERING_PRIORITIES", "7"), Map.of(), Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("KOPF4J_SETTINGS_PEERING_PRIORITY");
    }

    @ParameterizedTest
    @Tag("P11")
    @ValueSource(
            strings = {
                "kopf4j: {queueing: {error-delays: [1s, 3s]}}",
                "kopf4j: {queueing: {errorDelays: '1s,3s'}}",
                "kopf4j: {settings: {queueing: {error-delays: [1s, 3s]}}}",
                "{'kopf4j.queueing.error-delays[0]': 1s, 'kopf4j.queueing.error-delays[1]': 3s}",
            })
    void takesLists(String yaml) throws IOException {
        assertThat(read(Map.of(), Map.of(), yaml(yaml)).queueing().errorDelays())
                .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /** All of whose lines are comments. */
    @ParameterizedTest
    @Tag("P11")
    @ValueSource(
            strings = {
                "kopf4j: {queueing: }",
                "kopf4j: {settings: }",
                "kopf4j: {settings: {queueing: }}",
                "kopf4j: {queueing: ''}",
                "kopf4j: {Queueing: }",
            })
    void passesOverEmptySections(String yaml) throws IOException {
        assertThat(read(Map.of(), Map.of(), yaml(yaml)).values()).isEqualTo(new OperatorSettings().values());
    }

    @ParameterizedTest
    @Tag("P11")
    @ValueSource(strings = {"kopf4j: {queuing: }", "kopf4j: {queueing: 20}", "kopf4j: {queueing: {worker: }}"})
    void refusesEmptySectionsThatDoNotExistAndValuesOfOthers(String yaml) {
        assertThatThrownBy(() -> read(Map.of(), Map.of(), yaml(yaml))).isInstanceOf(SettingException.class);
    }

    @Test
    @Tag("P11")
    void refusesUnknownLists() {
        assertThatThrownBy(() -> read(Map.of(), Map.of(), yaml("kopf4j: {queueing: {error-delay: [1s, 3s]}}")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("queueing.errorDelays");
    }

    @Test
    @Tag("P11")
    void takesTheExampleOfThePage() throws IOException {
        String page = Files.readString(Path.of("../docs/spring-boot.md"));
        String example = page.substring(page.indexOf("```yaml") + "```yaml".length());

        OperatorSettings settings = read(Map.of(), Map.of(), yaml(example.substring(0, example.indexOf("```"))));

        assertThat(settings.queueing().workerLimit()).isEqualTo(20);
        assertThat(settings.execution().defaultBackoff()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @Tag("P11")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "namespaces: team-a                            | team-a",
                "namespaces: 'default,team-*'                  | default team-*",
                "namespaces: [default, 'team-*']               | default team-*",
                "namespaces: 'team-*,!team-x'                  | team-*,!team-x",
                "namespaces: ['team-*', '!team-x']             | team-*,!team-x",
                "namespaces: ['team-*,!team-x']                | team-*,!team-x",
                "namespaces: ['team-*,!team-x', default]       | team-*,!team-x default",
                "namespaces: 'default, team-*, !team-x, !*-pr' | default,!team-x,!*-pr team-*,!team-x,!*-pr",
                "namespaces: 'team-*,!*-pr-*,*-pr-123'         | team-*,!*-pr-*,*-pr-123",
                "namespaces: '!kube-*,!default'                | !kube-*,!default",
                "namespaces: '!kube-*,kube-public'             | !kube-*,kube-public",
                "namespaces: 'team-*, !team-?, team-[ab]'      | team-*,!team-?,team-[ab]",
                "namespaces: 'a, team-*, !*-x, team-b-x'       | a,!*-x,team-b-x team-*,!*-x,team-b-x",
                "namespaces: 'team-*,!team-x,${EXTRA:}'        | team-*,!team-x,",
            })
    void takesNamespaces(String yaml, String patterns) throws IOException {
        assertThat(namespacePatterns(yaml)).containsExactly(patterns.split(" "));
    }

    /** What stands behind an exclusion would not be watched, or adds nothing to what is watched anyway. */
    @ParameterizedTest
    @Tag("P11")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "namespaces: [default, '!team-x', 'team-*']        | team-*",
                "namespaces: 'default,!team-x,team-*'              | team-*",
                "namespaces: ['team-*,!team-x', '!team-y', b]      | b",
                "namespaces: ['!kube-*', default]                  | default",
                "namespaces: [default, '!kube-*', kube-public]     | kube-public",
                "namespaces: ['team-*', kube-public, '!*-x', '*y'] | *y",
                "namespaces: ['team-?', '!team-[ab]', 'team-ab']   | team-ab",
            })
    void refusesNamespacesBehindAnExclusionThatGiveNothingBack(String yaml, String pattern) {
        assertThatThrownBy(() -> namespacePatterns(yaml))
                .isInstanceOf(SettingException.class)
                .hasMessageContainingAll("kopf4j.namespaces=[", "'" + pattern + "'", "exclusions last");
    }

    @Test
    @Tag("P11")
    void refusesNamespacesBesideTheWholeCluster() throws IOException {
        assertThat(namespacePatterns("clusterwide: true, namespaces: []")).isEmpty();
        assertThatThrownBy(() -> namespacePatterns("clusterwide: true, namespaces: [default]"))
                .isInstanceOf(SettingException.class)
                .hasMessageContainingAll(
                        "kopf4j.clusterwide=true", "kopf4j.namespaces=[default]", "take one of them out");
    }

    private static List<String> namespacePatterns(String yaml) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(yaml("kopf4j: {" + yaml + "}"));
        return Binder.get(environment)
                .bind(KopfProperties.PREFIX, KopfProperties.class)
                .get()
                .namespacePatterns();
    }

    /** As Spring reads it from {@code application.yaml}. */
    private static PropertySource<?> yaml(String text) throws IOException {
        Resource file = new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8));
        return new YamlPropertySourceLoader().load("application.yaml", file).getFirst();
    }
}
