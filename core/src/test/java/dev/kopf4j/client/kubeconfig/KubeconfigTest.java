package dev.kopf4j.client.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("G14")
class KubeconfigTest {
    private static final String CLUSTER_AND_CONTEXT = """
            apiVersion: v1
            kind: Config
            current-context: here
            clusters:
            - name: c
              cluster:
                server: https://127.0.0.1:6443/
            contexts:
            - name: here
              context: {cluster: c, user: u, namespace: ns}
            users:
            - name: u
            """;

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static ConnectionInfo connection(Path... files) throws InterruptedException {
        Kubeconfig kubeconfig = Kubeconfig.read(List.of(files));
        return kubeconfig.connection(kubeconfig.currentContext(), new ExecPluginRunner(new SystemPlatform()));
    }

    private ConnectionInfo withUser(String user) throws Exception {
        return connection(file("config", CLUSTER_AND_CONTEXT + "  user: " + user + "\n"));
    }

    @Test
    void readsServerNamespaceAndToken() throws Exception {
        ConnectionInfo info = withUser("{token: secret}");
        assertThat(info)
                .isEqualTo(ConnectionInfo.builder("https://127.0.0.1:6443")
                        .defaultNamespace("ns")
                        .token("secret")
                        .build());
    }

    @Test
    void readsBasicAuthentication() throws Exception {
        ConnectionInfo info = withUser("{username: bond, password: 1234}");
        assertThat(info.username()).isEqualTo("bond");
        assertThat(info.password()).isEqualTo("1234");
    }

    @Test
    void readsCertificatesWhereDataWins() throws Exception {
        ConnectionInfo info = withUser("{client-certificate: a, client-certificate-data: B, client-key: /k}");
        assertThat(info.certificateData()).isEqualTo("B");
        assertThat(info.certificatePath()).isNull();
        assertThat(info.privateKeyPath()).isEqualTo("/k");
    }

    @Test
    void usersMayBeAnonymous() throws Exception {
        assertThat(connection(file("config", CLUSTER_AND_CONTEXT)).token()).isNull();
    }

    @Test
    @Tag("L42")
    void resolvesRelativePathsAgainstTheFile() throws Exception {
        ConnectionInfo info = withUser("{tokenFile: sub/../token, client-certificate: ./c.pem, client-key: ~/k.pem}");
        assertThat(info.tokenPath()).isEqualTo(folder.resolve("token").toString());
        assertThat(info.certificatePath()).isEqualTo(folder.resolve("c.pem").toString());
        assertThat(info.privateKeyPath()).isEqualTo(System.getProperty("user.home") + "/k.pem");
    }

    @Test
    void readsTheClusterOptions() throws Exception {
        Path config = file("config", """
                current-context: here
                contexts: [{name: here, context: {cluster: c}}]
                clusters:
                - name: c
                  cluster:
                    server: https://example.com
                    certificate-authority: ca.pem
                    insecure-skip-tls-verify: true
                    proxy-url: http://proxy:3128
                    tls-server-name: other.example.com
                """);
        ConnectionInfo info = connection(config);
        assertThat(info.caPath()).isEqualTo(folder.resolve("ca.pem").toString());
        assertThat(info.insecure()).isTrue();
        assertThat(info.proxyUrl()).isEqualTo("http://proxy:3128");
        assertThat(info.tlsServerName()).isEqualTo("other.example.com");
    }

    @ParameterizedTest
    @CsvSource({
        "true, true",
        "TRUE, true",
        "yes, true",
        "Yes, true",
        "on, true",
        "y, true",
        "'', false",
        "false, false",
        "no, false",
        "off, false",
        "n, false",
        "1, false"
    })
    void flagsAreThoseOfYaml11(String written, boolean insecure) throws Exception {
        ConnectionInfo info = connection(file("config", """
                current-context: here
                contexts: [{name: here, context: {cluster: c}}]
                clusters: [{name: c, cluster: {server: 'https://example.com', insecure-skip-tls-verify: %s}}]
                """.formatted(written)));
        assertThat(info.insecure()).isEqualTo(insecure);
    }

    @Test
    void mergeKeysBringFieldsThatAMapHasNot() throws Exception {
        ConnectionInfo info = connection(file("config", """
                base: &base {server: 'https://base', tls-server-name: base}
                more: &more {<<: *base, proxy-url: 'http://more', tls-server-name: more}
                current-context: here
                contexts: [{name: here, context: &itself {cluster: c, user: u, <<: *itself}}]
                clusters:
                - name: c
                  cluster: {<<: [*base, *more], certificate-authority-data: null}
                users: [{name: u, user: {token: 0123, <<: {token: other, username: bond}}}]
                """));
        assertThat(info.server()).isEqualTo("https://base");
        assertThat(info.tlsServerName()).isEqualTo("base");
        assertThat(info.proxyUrl()).isEqualTo("http://more");
        assertThat(info.token()).isEqualTo("0123");
        assertThat(info.username()).isEqualTo("bond");
    }

    @Test
    void mergesFilesFirstWins() throws Exception {
        Path sub = Files.createDirectory(folder.resolve("sub"));
        Path first = file("first", """
                current-context: here
                users: [{name: u, user: {token: first}}]
                clusters: null
                """);
        Path second = Files.writeString(sub.resolve("second"), """
                current-context: there
                users: [{name: u, user: {token: second}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: 'https://example.com', certificate-authority: ca}}]
                """);
        ConnectionInfo info = connection(first, second);
        assertThat(info.token()).isEqualTo("first");
        assertThat(info.caPath()).isEqualTo(sub.resolve("ca").toString());
    }

    @Test
    void takesTheTokenOfAnAuthProviderThatHasOne() throws Exception {
        assertThat(withUser("{auth-provider: {name: gcp, config: {access-token: t}}}")
                        .token())
                .isEqualTo("t");
    }

    @Test
    void refusesOtherAuthProvidersNamingTheUser() {
        assertThatThrownBy(() -> withUser("{auth-provider: {name: oidc, config: {id-token: t}}}"))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("'u'")
                .hasMessageContaining("oidc");
    }

    /** With causes, it is logged by --debug and by programs that have an operator in them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "users: [{name: u, user: {token: \"swordfish",
                "{\"user\":{\"token\":\"swordfish\" \"x\"}}",
                "password: *swordfish",
                "password: !swordfish",
                "password: !!int swordfish",
                "password: !!binary swordfish.",
                "password: \"\\Uswordfish\"",
                "swordfish: 1\nswordfish: 2",
                "password: &swordfish [*swordfish]\n? [swordfish]\n: x",
                "password: swordfish\u0001"
            })
    void whatIsNoYamlIsQuotedNowhere(String content) throws Exception {
        Path broken = file("slip", content);
        assertThatThrownBy(() -> connection(broken))
                .hasMessageContaining("not valid YAML")
                .satisfies(failure -> assertThat(Throwables.getStackTrace(failure))
                        .contains("slip")
                        .doesNotContain("swordfish"));
    }

    @Test
    void namesWhatIsMissing() throws Exception {
        assertThatThrownBy(() -> connection(file("empty", ""))).hasMessageContaining("no current context");
        assertThatThrownBy(() -> connection(file("dangling", "current-context: x")))
                .hasMessageContaining("no context 'x'");
        assertThatThrownBy(() -> connection(file("nouser", CLUSTER_AND_CONTEXT.replace("user: u,", "user: nobody,"))))
                .hasMessageContaining("no user 'nobody'");
        assertThatThrownBy(() -> connection(file("noserver", CLUSTER_AND_CONTEXT.replace("server:", "serve:"))))
                .hasMessageContaining("no server");
        assertThatThrownBy(() -> connection(folder.resolve("absent")))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("absent");
        assertThatThrownBy(() -> connection(file("broken", "a: [")))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("not valid YAML at line 1, column 5: expected the node content");
        assertThatThrownBy(() -> connection(file("list", "[1]"))).hasMessageContaining("not a mapping");
    }
}
