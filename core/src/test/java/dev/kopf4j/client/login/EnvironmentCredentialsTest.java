package dev.kopf4j.client.login;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and passwords from a {@code .netrc} file. Tests {@link EnvironmentCredentials}. */
@Tag("G09")
class EnvironmentCredentialsTest {
    private static final String FILE = """
            # ours
            machine first.example login me password one # both
            machine other.example
                user "you and me"
                password "tw\\"o #2"
            macdef init
            machine first.example login macro password macro

            machine accounts.example account acc password a
            machine nobody.example password only
            default login anybody password all
            """;

    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private String valid = "first";

    @TempDir
    private Path home;

    private ConnectionInfo login(
            String server,
            boolean trustEnv,
            Map<String, String> environment,
            UnaryOperator<ConnectionInfo.Builder> parts)
            throws InterruptedException {
        ConnectionInfo given = parts.apply(ConnectionInfo.builder(server)).build();
        CredentialSource source = new EnvironmentCredentials(() -> Map.of("id", given), trustEnv, environment);
        return Objects.requireNonNull(source.retrieve().get("id"));
    }

    private void write(String text) throws IOException {
        Files.writeString(home.resolve(".netrc"), text);
    }

    private Map<String, String> inHome() {
        return Map.of("HOME", home.toString());
    }

    private static String user(ConnectionInfo info) {
        return info.username() + ":" + info.password();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://first.example:6443 | me:one
            https://FIRST.example/k8s  | me:one
            https://other.example      | you and me:tw"o #2
            https://accounts.example   | acc:a
            https://nobody.example     | null:null
            https://else.example       | anybody:all
            """)
    void theHostOfTheServerFindsItsEntryElseTheDefault(String server, String expected)
            throws IOException, InterruptedException {
        write(FILE);
        assertThat(user(login(server, true, inHome(), parts -> parts))).isEqualTo(expected);
    }

    @Test
    void nothingIsReadUnlessTheEnvironmentIsTrusted() throws IOException, InterruptedException {
        write(FILE);
        String server = "https://first.example";
        assertThat(user(login(server, false, inHome(), parts -> parts))).isEqualTo("null:null");
        assertThat(user(login(server, false, inHome(), parts -> parts.trustEnv(true))))
                .isEqualTo("me:one");
        assertThat(login(server, false, inHome(), parts -> parts).trustEnv()).isFalse();
        assertThat(login(server, true, inHome(), parts -> parts).trustEnv()).isTrue();
    }

    @Test
    void whatALoginGivesIsNotReplaced() throws IOException, InterruptedException {
        write(FILE);
        String server = "https://first.example";
        assertThat(user(login(server, true, inHome(), parts -> parts.token("t"))))
                .isEqualTo("null:null");
        assertThat(user(login(server, true, inHome(), parts -> parts.tokenPath("/t"))))
                .isEqualTo("null:null");
        assertThat(user(login(server, true, inHome(), parts -> parts.scheme("Negotiate"))))
                .isEqualTo("null:null");
        assertThat(user(login(
                        server, true, inHome(), parts -> parts.username("u").password("p"))))
                .isEqualTo("u:p");
        ConnectionInfo other = login(
                server, true, inHome(), parts -> parts.certificatePath("/c").priority(7));
        assertThat(user(other)).isEqualTo("me:one");
        assertThat(other.certificatePath()).isEqualTo("/c");
        assertThat(other.priority()).isEqualTo(7);
    }

    @Test
    void theEnvironmentMayNameTheFileWhichIsReadAtEachLogin() throws IOException, InterruptedException {
        write(FILE);
        Path file = Files.writeString(home.resolve("mine"), "machine first.example login me password new");
        Map<String, String> environment = Map.of("NETRC", file.toString());
        assertThat(user(login("https://first.example", true, environment, parts -> parts)))
                .isEqualTo("me:new");
        Files.writeString(file, "machine first.example login me password newer");
        assertThat(user(login("https://first.example", true, environment, parts -> parts)))
                .isEqualTo("me:newer");
    }

    @Test
    void aPasswordThatTheServerRejectsIsReadAgainWithinAMinute() throws IOException, InterruptedException {
        ConnectionInfo given = ConnectionInfo.builder("https://first.example").build();
        CredentialSource source = new EnvironmentCredentials(() -> Map.of("id", given), true, inHome());
        write("machine first.example login me password first");
        try (CredentialVault vault = new CredentialVault(platform, source, this::transport)) {
            KubernetesApi api = new KubernetesApi(platform, vault, NetworkSettings.DEFAULTS);
            api.get(KEX, "ns", "name");
            valid = "second";
            for (int seconds = 0; seconds < 30; seconds++) {
                assertThatExceptionOfType(NoCredentialsException.class).isThrownBy(() -> api.get(KEX, "ns", "name"));
                platform.sleep(Duration.ofSeconds(1));
            }
            write("machine first.example login me password second");
            Instant written = platform.now();
            while (!answers(api)) {
                platform.sleep(Duration.ofSeconds(1));
            }
            assertThat(platform.now()).isBefore(written.plusSeconds(60));
            assertThat(user(vault.info())).isEqualTo("me:second");
        }
    }

    private Transport transport(ConnectionInfo info) {
        return new ScriptedTransport(platform)
                .answering(request -> valid.equals(info.password())
                        ? json(200, "{'metadata':{'name':'name'}}")
                        : status(401, "", "who?"));
    }

    private static boolean answers(KubernetesApi api) throws InterruptedException {
        try {
            api.get(KEX, "ns", "name");
            return true;
        } catch (NoCredentialsException e) {
            return false;
        }
    }

    @Test
    void otherClientsGetWhatIsReadAgain() throws IOException, InterruptedException {
        ConnectionInfo given = ConnectionInfo.builder("https://first.example").build();
        CredentialSource source = new EnvironmentCredentials(() -> Map.of("id", given), true, inHome());
        write("machine first.example login me password first");
        try (CredentialVault vault = new CredentialVault(platform, source, this::transport)) {
            ConnectionInfo first = vault.info();
            assertThat(vault.renew(given)).as("what was rejected is out of use").isEqualTo(first);
            write("machine first.example login me password second");
            valid = "second";
            assertThat(user(vault.renew(first))).isEqualTo("me:second");
        }
    }

    @Test
    void aFileOfNoUseIsToldWithoutItsContentAndTheLoginGoesOn() throws IOException, InterruptedException {
        try (LoggerCapture log = new LoggerCapture("kopf4j.activities.authentication")) {
            assertThat(user(login("https://first.example", true, inHome(), parts -> parts)))
                    .isEqualTo("null:null");
            assertThat(log.lines(Level.WARN)).isEmpty();
            write("machine a login b\npassword c\nsecret");
            assertThat(user(login("https://first.example", true, inHome(), parts -> parts)))
                    .isEqualTo("null:null");
            login("https://first.example", true, Map.of("NETRC", "/nowhere"), parts -> parts);
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "warn: The passwords of " + home.resolve(".netrc")
                                    + " are not used: line 3 has another form"
                                    + " than 'machine HOST login NAME password PASSWORD'",
                            "warn: The passwords of /nowhere are not used: there is no such file; check the path");
        }
    }
}
