package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class OperatorSettingsTest {
    private final OperatorSettings settings = new OperatorSettings();

    private SettingValue explained(String name) {
        return settings.values().stream()
                .filter(value -> value.setting().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("K17")
    void treeIsCompleteWithItsDefaults() {
        Map<String, String> defaults =
                OperatorSettings.all().stream().collect(Collectors.toMap(Setting::name, Setting::defaultText));
        Map<String, String> expected = new HashMap<>(Map.of(
                "process.ultimateExitingTimeout", "10m",
                "posting.enabled", "true",
                "posting.loggers", "false",
                "posting.level", "info",
                "posting.reportingComponent", "kopf",
                "posting.reportingInstance", "dev",
                "posting.eventNamePrefix", "kopf-event-",
                "scanning.disabled", "false"));
        expected.putAll(Map.of(
                "peering.name", "default",
                "peering.stealth", "false",
                "peering.priority", "0",
                "peering.lifetime", "1m",
                "peering.mandatory", "false",
                "peering.standalone", "false",
                "peering.clusterwide", "false"));
        expected.putAll(Map.of(
                "watching.serverTimeout", "none",
                "watching.clientTimeout", "none",
                "watching.connectTimeout", "none",
                "watching.reconnectBackoff", "100ms",
                "watching.inactivityTimeout", "1m10s",
                "queueing.workerLimit", "none",
                "queueing.exitTimeout", "2s",
                "queueing.errorDelays", "1s,1s,2s,3s,5s,8s,13s,21s,34s,55s,1m29s,2m24s,3m53s,6m17s,10m10s",
                "execution.defaultBackoff", "1m",
                "execution.maxWorkers", "none"));
        expected.putAll(Map.of(
                "background.cancellationPolling", "1m",
                "background.instantExitTimeout", "none",
                "networking.requestTimeout", "5m",
                "networking.connectTimeout", "none",
                "networking.errorBackoffs", "1s,1s,2s,3s,5s,8s,13s,21s",
                "networking.enforceRetryAfter", "false",
                "networking.trustEnv", "false"));
        expected.putAll(Map.of(
                "persistence.finalizer", "kopf.zalando.org/KopfFinalizerMarker",
                "persistence.progressStorage", "smart",
                "persistence.diffBaseStorage", "annotations",
                "persistence.consistencyTimeout", "5s"));
        assertThat(defaults).containsAllEntriesOf(expected);
    }

    /** The table of Kopf's settings, with the defaults; a minus for what has no counterpart, with a reason. */
    @ParameterizedTest
    @Tag("K17")
    @CsvSource(delimiter = '|', textBlock = """
            process.ultimate_exiting_timeout          | 10m
            posting.enabled                           | true
            posting.loggers                           | false
            posting.level                             | info
            posting.reporting_component               | kopf
            posting.reporting_instance                | dev
            posting.event_name_prefix                 | kopf-event-
            peering.name                              | default
            peering.stealth                           | false
            peering.priority                          | 0
            peering.lifetime                          | 1m
            peering.mandatory                         | false
            peering.standalone                        | false
            peering.clusterwide                       | false
            watching.server_timeout                   | none
            watching.client_timeout                   | none
            watching.connect_timeout                  | none
            watching.reconnect_backoff                | 100ms
            watching.inactivity_timeout               | 1m10s
            queueing.worker_limit                     | none
            queueing.idle_timeout                     | - worker here
            queueing.exit_timeout                     | 2s
            queueing.error_delays                     | 1s,1s,2s,3s,5s,8s,13s,21s,34s,55s,1m29s,2m24s,3m53s,6m17s,10m10s
            queueing.batch_window                     | - events are not held back
            batching.worker_limit                     | - the group is called queueing
            scanning.disabled                         | false
            admission.server                          | none
            admission.managed                         | none
            execution.default_backoff                 | 1m
            execution.executor                        | - virtual threads
            execution.max_workers                     | none
            background.cancellation_polling           | 1m
            background.instant_exit_timeout           | none
            background.instant_exit_zero_time_cycles  | - event loop
            networking.request_timeout                | 5m
            networking.connect_timeout                | none
            networking.error_backoffs                 | 1s,1s,2s,3s,5s,8s,13s,21s
            networking.enforce_retry_after            | false
            networking.trust_env                      | false
            persistence.finalizer                     | kopf.zalando.org/KopfFinalizerMarker
            persistence.progress_storage              | smart
            persistence.diffbase_storage              | annotations
            persistence.consistency_timeout           | 5s
            """)
    void settingsOfKopfAreHereOrHaveAReason(String name, String value) {
        if (value.startsWith("- ")) {
            assertThatExceptionOfType(SettingException.class)
                    .isThrownBy(() -> settings.set(name, "1"))
                    .withMessageStartingWith("there is no setting '" + name + "': ")
                    .withMessageContaining(value.substring(2))
                    .withMessageEndingWith("; remove it");
        } else {
            assertThat(settings.set(name, value)).isSameAs(settings);
            SettingValue set = settings.values().stream()
                    .filter(each -> !each.origin().equals("default"))
                    .findFirst()
                    .orElseThrow();
            assertThat(set.text()).isEqualTo(set.setting().defaultText()).isEqualTo(value);
        }
    }

    @Test
    void eachSettingHasItsOwnNameInEachSourceAndATextThatCanBeReadBack() {
        assertThat(OperatorSettings.all()).hasSizeGreaterThan(40);
        assertThat(OperatorSettings.all().stream()
                        .map(setting -> setting.name().replaceAll("[._-]", "").toLowerCase(Locale.ROOT)))
                .doesNotHaveDuplicates();
        for (SettingValue value : settings.values()) {
            settings.set(value.setting().name(), value.text());
            assertThat(explained(value.setting().name()).text()).isEqualTo(value.text());
            assertThat(value.setting().description()).endsWith(".");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "service:web/hooks:8443:9000, service:web/hooks:8443:9000, 8443, 9000",
        "service:web/hooks, service:web/hooks:443:9443, 443, 9443"
    })
    void aWebhookServerBehindAServiceIsASetting(String text, String printed, int port, int listening) {
        settings.set("admission.server", text);
        assertThat(settings.admission().server())
                .isEqualTo(WebhookServer.local().port(listening).service("web", "hooks", port));
        assertThat(explained("admission.server").text()).isEqualTo(printed);
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.set("admission.server", "service:web"))
                .withMessageContaining("service:NAMESPACE/NAME");
    }

    @Test
    void aWebhookServerOfSeveralPodsBehindAServiceSharesAnAuthority() {
        String text = "service:web/hooks:443:9443,authority=hooks-ca";
        settings.set("admission.server", text);
        assertThat(settings.admission().server())
                .isEqualTo(WebhookServer.local()
                        .port(9443)
                        .service("web", "hooks", 443)
                        .authority(WebhookAuthority.inSecret("web", "hooks-ca")));
        assertThat(explained("admission.server").text()).isEqualTo(text);
        settings.set("admission.server", "service:web/hooks,authority=hooks-ca");
        assertThat(explained("admission.server").text()).isEqualTo(text);
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.set("admission.server", "service:web/hooks,authority="))
                .withMessageContaining(",authority=SECRET");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hooks--ca", "hooks-ca.web--1", "0"})
    void theAuthorityMayHaveAnyNameOfASecret(String name) {
        String text = "service:web/hooks:443:9443,authority=" + name;
        WebhookServer server = WebhookServer.local()
                .port(9443)
                .service("web", "hooks", 443)
                .authority(WebhookAuthority.inSecret("web", name));
        settings.set("admission.server", text);
        assertThat(settings.admission().server()).isEqualTo(server);
        assertThat(explained("admission.server").text()).isEqualTo(text);
    }

    /** Whatever is set in code can be told, though not everything can be written. */
    @ParameterizedTest
    @ValueSource(strings = {"hooks_ca", "-hooks", "hooks-", "Hooks", "a..b"})
    void anAuthorityThatCannotBeWrittenIsToldInWords(String name) {
        settings.admission()
                .server(WebhookServer.local()
                        .port(9443)
                        .service("web", "hooks", 443)
                        .authority(WebhookAuthority.inSecret("web", name)));
        assertThat(explained("admission.server").text()).doesNotStartWith("service:");
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.set("admission.server", "service:web/hooks,authority=" + name));
    }

    @Test
    void laterSourcesWinAndEachValueKnowsItsOrigin(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("kopf4j.yaml"), """
                peering: {priority: 1, name: file, stealth: yes}
                networking:
                  error_backoffs: [1, 500ms]
                watching.server_timeout: 5m
                """);
        settings.readFile(file)
                .readProperties(
                        Map.of("kopf4j.settings.peering.priority", "2", "kopf4j.settings.peering.name", "property"))
                .readEnvironment(Map.of("KOPF4J_SETTINGS_PEERING_PRIORITY", "3", "KOPF4J_RUN_NAMESPACE", "x"))
                .from("the option --priority", changed -> changed.peering().priority(100));
        assertThat(settings.peering().priority()).isEqualTo(100);
        assertThat(settings.peering().name()).isEqualTo("property");
        assertThat(settings.peering().stealth()).isTrue();
        assertThat(settings.networking().errorBackoffs())
                .isEqualTo(List.of(Duration.ofSeconds(1), Duration.ofMillis(500)));
        assertThat(settings.watching().serverTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(explained("peering.priority").origin()).isEqualTo("the option --priority");
        assertThat(explained("peering.name").origin()).isEqualTo("the system property kopf4j.settings.peering.name");
        assertThat(explained("peering.stealth").origin()).isEqualTo("the file " + file);
        assertThat(explained("peering.lifetime").origin()).isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            peering.prority                 | there is no setting 'peering.prority'; did you mean 'peering.priority'?
            execution.default-back          | did you mean 'execution.defaultBackoff'?
            queueing.idle_timeout           | there is no setting 'queueing.idle_timeout': objects without work have no worker
            batching.workerLimit            | the group is called queueing
            """)
    void unknownNamesAreErrorsThatNameTheNearest(String name, String message) {
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.set(name, "1"))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            peering.priority            | high  | must be a whole number, but is 'high'
            peering.stealth             | maybe | must be true or false, but is 'maybe'
            peering.lifetime            | 500ms | must be a duration (10s, 1m30s, 500ms) from 2s up to 36500 days, but is '500ms'
            networking.requestTimeout   | 0     | must be a duration (10s, 1m30s, 500ms) above zero, up to 36500 days, but is '0'
            leaderElection.retryPeriod  | 1ms   | must be a duration (10s, 1m30s, 500ms) from 100ms up to 36500 days, but is '1ms'
            leaderElection.leaseDuration | 25000d | must be a duration (10s, 1m30s, 500ms) from 1s up to 24855 days, but is '25000d'
            leaderElection.leaseName    | A b   | must be a name of small letters, digits, dashes and dots, of 253 characters at the most, but is 'A b'
            leaderElection.leaseNamespace | a.b | must be the name of a namespace, of small letters, digits and dashes, with a letter or digit at its ends, of 63 characters at the most, or none, but is 'a.b'
            leaderElection.leaseNamespace | a234567890123456789012345678901234567890123456789012345678901234 | must be the name of a namespace
            peering.name                | a/b   | must be a name of small letters
            background.cancellationPolling | 1us | must be a duration (10s, 1m30s, 500ms) from 1ms up to 36500 days
            children.fieldManager       | a b   | must be a text of letters, digits, dashes, dots and underscores
            persistence.finalizer       | a b/c | must be a qualified name such as example.com/finalizer, but is 'a b/c'
            persistence.finalizer       | A.b/c | must be a qualified name such as example.com/finalizer, but is 'A.b/c'
            admission.server            | service:ns/n:70000:9443 | must be one of
            console.port                | 65536 | must be a whole number from 0 to 65535, or none, but is '65536'
            recorder.memory             | 2147483647 | must be a whole number from 0 to 1048576, but is '2147483647'
            sharding.shards             | 1025  | must be a whole number from 1 to 1024, or none, but is '1025'
            execution.maxWorkers        | 0     | must be a whole number from 1 on, or none, but is '0'
            execution.lifecycle         | fifo  | must be one of inOrder, allAtOnce, oneByOne, randomized, shuffled, asap (others in code), but is 'fifo'
            posting.level               | loud  | must be one of error, warn, info, debug, trace, but is 'loud'
            networking.errorBackoffs    | 1s,x  | must be a list of durations (1s,2s,5s), but is '1s,x'
            persistence.progressStorage | disk  | must be one of annotations, smart, status (others in code), but is 'disk'
            """)
    void valuesOfAnotherTypeAreErrors(String name, String text, String message) {
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.set(name, text))
                .withMessageContaining("the setting '" + name + "' " + message);
    }

    @Test
    @SuppressWarnings("NullAway") // what is tested
    void whatNeedsAValueIsNotNull() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> settings.peering().name(null),
                () -> settings.networking().requestTimeout(null),
                () -> settings.execution().lifecycle(null),
                () -> settings.networking().errorBackoffs(null))) {
            assertThatExceptionOfType(SettingException.class)
                    .isThrownBy(call)
                    .withMessageMatching("the setting '[a-zA-Z.]+' must be .+, but is null");
        }
    }

    /** Either would be met when an object waits for its next attempt, in a loop without pauses or as a failure. */
    @Test
    @SuppressWarnings("NullAway") // what is tested
    void noPauseOfAListIsMissingOrNegative() {
        List<Duration> many = new ArrayList<>(Collections.nCopies(2_000, Duration.ofSeconds(1)));
        settings.networking().errorBackoffs(many);
        assertThat(settings.networking().errorBackoffs()).isSameAs(many);
        many.set(500, Duration.ofSeconds(-1));
        for (List<Duration> each : List.of(
                Arrays.asList(Duration.ofSeconds(1), null),
                List.of(Duration.ofSeconds(1), Duration.ofSeconds(-1)),
                many,
                Collections.nCopies(Integer.MAX_VALUE, (Duration) null))) {
            assertThatExceptionOfType(SettingException.class)
                    .isThrownBy(() -> settings.queueing().errorDelays(each))
                    .withMessageStartingWith(
                            "the setting 'queueing.errorDelays' must be a list of durations (1s,2s,5s), but is '[")
                    .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(10_000));
        }
    }

    @Test
    void mistakesNameTheSourceAsItWasWritten(@TempDir Path folder) throws IOException {
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.readEnvironment(Map.of("KOPF4J_SETTINGS_PERING_PRIORITY", "1")))
                .withMessageContaining("'KOPF4J_SETTINGS_PERING_PRIORITY'")
                .withMessageContaining("did you mean 'KOPF4J_SETTINGS_PEERING_PRIORITY'?");
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.readProperties(Map.of("kopf4j.settings.posting.enable", "1")))
                .withMessageContaining("did you mean 'kopf4j.settings.posting.enabled'?");
        Path file = folder.resolve("kopf4j.yaml");
        for (Map.Entry<String, String> each : Map.of(
                        "peering: [1]", "there must be a mapping of settings, but 'peering' is '[1]'",
                        "- peering", "there must be a mapping of settings (peering: {priority: 100})",
                        "peering: {priority: {a: 1}}", "the setting 'peering.priority' is no mapping",
                        "peering: {", "is not YAML",
                        "persistence: {prefix: }", "the setting 'persistence.prefix' has no value: write a text",
                        "peering: {priority: x}", file + ": the setting 'peering.priority' must be a whole number")
                .entrySet()) {
            Files.writeString(file, each.getKey());
            assertThatExceptionOfType(SettingException.class)
                    .isThrownBy(() -> settings.readFile(file))
                    .withMessageContaining(each.getValue());
        }
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.readFile(folder.resolve("missing.yaml")))
                .withMessageContaining("cannot be read from " + folder.resolve("missing.yaml"));
    }

    @Test
    void emptyFileChangesNothing(@TempDir Path folder) throws IOException {
        settings.readFile(Files.writeString(folder.resolve("empty.yaml"), "# nothing\n"));
        assertThat(settings.values())
                .allSatisfy(value -> assertThat(value.origin()).isEqualTo("default"));
    }

    @Test
    void frozenSettingsRefuseChangesButTheirCopiesDoNot() {
        settings.posting().level(Level.WARN);
        OperatorSettings copy = settings.copy();
        settings.freeze();
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.posting().level(Level.ERROR))
                .withMessageContaining("'posting.level' cannot be changed any more");
        copy.posting().level(Level.ERROR);
        assertThat(copy.posting().level()).isEqualTo(Level.ERROR);
        assertThat(settings.posting().level()).isEqualTo(Level.WARN);
        assertThat(explained("posting.level").origin()).isEqualTo("code");
    }

    /** One line gives an operator an identity of its own, in whatever order its settings are read. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                     | kopf4j | default       | kopf4j | default
            operator.name=sites                                    | sites  | operator.name | sites  | operator.name
            operator.name=sites leaderElection.leaseName=old       | old    | code          | sites  | operator.name
            leaderElection.leaseName=old operator.name=sites       | old    | code          | sites  | operator.name
            children.fieldManager=kopf4j operator.name=a.b-1       | a.b-1  | operator.name | kopf4j | code
            operator.name=sites operator.name=kopf4j               | kopf4j | operator.name | kopf4j | operator.name
            """)
    void leaseAndFieldManagerHaveTheNameOfTheOperatorAsLongAsTheyAreNotSet(
            String changes, String lease, String leaseFrom, String manager, String managerFrom) {
        for (String change : changes.isEmpty() ? new String[0] : changes.split(" ", -1)) {
            settings.set(change.split("=", -1)[0], change.split("=", -1)[1]);
        }
        OperatorSettings copy = settings.copy();
        settings.freeze();
        for (OperatorSettings each : List.of(settings, copy)) {
            assertThat(each.leaderElection().leaseName()).isEqualTo(lease);
            assertThat(each.children().fieldManager()).isEqualTo(manager);
        }
        assertThat(explained("leaderElection.leaseName").text()).isEqualTo(lease);
        assertThat(explained("leaderElection.leaseName").origin()).isEqualTo(leaseFrom);
        assertThat(explained("children.fieldManager").text()).isEqualTo(manager);
        assertThat(explained("children.fieldManager").origin()).isEqualTo(managerFrom);
        assertThat(explained("posting.reportingComponent").text())
                .as("what Kopf's tools know stays")
                .isEqualTo("kopf");
    }

    /** It has to be the name of a lease, a field manager, and the value of labels. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "Sites", "my_operator", "-sites", "sites-", "a..b", "a.-b", "a b", "\u00e9", "sites\n"})
    void anOperatorHasANameThatKubernetesTakes(String name) {
        for (String bad : List.of(name, "x".repeat(64))) {
            assertThatExceptionOfType(SettingException.class)
                    .isThrownBy(() -> settings.operator().name(bad))
                    .withMessage("the setting 'operator.name' must be a name of small letters, digits, dashes and dots,"
                            + " with a letter or digit at its ends and beside each dot, of 63 characters at the most,"
                            + " but is '" + bad + "'");
        }
        settings.operator().name("x".repeat(63));
    }

    @Test
    void codeIsCheckedToo() {
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> settings.execution().maxWorkers(0))
                .withMessageContaining("'execution.maxWorkers' must be a whole number from 1 on");
    }

    @Test
    void aDurationBeyondACenturyIsRefusedWithTheLimit() {
        Duration ever = ChronoUnit.FOREVER.getDuration();
        List<ThrowingCallable> changes = List.of(
                () -> new OperatorSettings().watching().inactivityTimeout(ever),
                () -> new OperatorSettings().watching().resyncInterval(ever),
                () -> new OperatorSettings().networking().requestTimeout(ever),
                () -> new OperatorSettings().networking().requestTimeout(Duration.ofDays(36_501)));
        for (ThrowingCallable change : changes) {
            assertThatThrownBy(change)
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("the setting '")
                    .hasMessageContaining("up to 36500 days");
        }
        new OperatorSettings().networking().requestTimeout(Duration.ofDays(36_500));
    }
}
