package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.client.tls.TlsContext;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("G05")
class ConnectionInfoTest {
    private static final String SERVER = "https://127.0.0.1:6443";

    @Test
    void dropsTheTrailingSlash() {
        assertThat(ConnectionInfo.builder(SERVER + "/").build().server()).isEqualTo(SERVER);
    }

    @Test
    void refusesWhatIsNoServer() {
        for (String wrong : new String[] {"localhost", "ftp://host", "https://", "host:6443", ""}) {
            assertThatThrownBy(() -> ConnectionInfo.builder(wrong).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong);
        }
    }

    /** As containers are named; {@code java.net.URI} finds no host there. */
    @Test
    void anUnderscoreIsSaidToBeTheReason() {
        assertThatThrownBy(
                        () -> ConnectionInfo.builder("https://k3s_server:6443").build())
                .hasMessageContaining("'https://k3s_server:6443'")
                .hasMessageContaining("an underscore is not permitted")
                .hasMessageContaining("tls-server-name");
        assertThatThrownBy(() -> ConnectionInfo.builder("ftp://host").build()).hasMessageNotContaining("underscore");
    }

    @Test
    void refusesAPathAndDataForTheSame() {
        assertThatThrownBy(() ->
                        ConnectionInfo.builder(SERVER).caPath("/a").caData("b").build())
                .hasMessageContaining("certificate authority")
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> ConnectionInfo.builder(SERVER)
                        .certificatePath("/a")
                        .certificateData("b")
                        .build())
                .hasMessageContaining("client certificate");
        assertThatThrownBy(() -> ConnectionInfo.builder(SERVER)
                        .privateKeyPath("/a")
                        .privateKeyData("b")
                        .build())
                .hasMessageContaining("private key");
    }

    @Test
    void aCopyHasAllPartsAndMayHaveOthers() throws GeneralSecurityException {
        ConnectionInfo info = ConnectionInfo.builder(SERVER)
                .caPath("/ca")
                .insecure(true)
                .username("user")
                .password("password")
                .scheme("scheme")
                .token("token")
                .tokenPath("/token")
                .certificatePath("/cert")
                .privateKeyPath("/key")
                .defaultNamespace("ns")
                .proxyUrl("http://proxy")
                .trustEnv(true)
                .tlsServerName("name")
                .priority(5)
                .expiration(Instant.EPOCH)
                .build();
        assertThat(info.toBuilder().build()).isEqualTo(info);
        ConnectionInfo byData = ConnectionInfo.builder(SERVER)
                .caData("ca")
                .certificateData("cert")
                .privateKeyData("key")
                .build();
        assertThat(byData.toBuilder().build()).isEqualTo(byData);
        ConnectionInfo byContext = ConnectionInfo.builder(SERVER)
                .sslContext(SSLContext.getDefault())
                .build();
        assertThat(byContext.toBuilder().build()).isEqualTo(byContext);
        assertThat(info.toBuilder().token("other").build().token()).isEqualTo("other");
        assertThat(info.withPriority(9).priority()).isEqualTo(9);
    }

    @Test
    @Tag("G07")
    void aTlsContextIsTheOnlyWayToSecureConnectionsIfItIsGiven() throws GeneralSecurityException {
        SSLContext own = SSLContext.getDefault();
        assertThat(TlsContext.of(ConnectionInfo.builder(SERVER).sslContext(own).build()))
                .isSameAs(own);
        List<Consumer<ConnectionInfo.Builder>> others = List.of(
                b -> b.caPath("/ca"),
                b -> b.caData("ca"),
                b -> b.certificatePath("/cert"),
                b -> b.certificateData("cert"),
                b -> b.privateKeyPath("/key"),
                b -> b.privateKeyData("key"),
                b -> b.tlsServerName("name"),
                b -> b.insecure(true));
        for (Consumer<ConnectionInfo.Builder> other : others) {
            ConnectionInfo.Builder builder = ConnectionInfo.builder(SERVER).sslContext(own);
            other.accept(builder);
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("a TLS context is given, and ");
        }
    }

    @Test
    @Tag("L42")
    void resolvesTheHomeFolderInEveryPath() {
        String home = System.getProperty("user.home");
        ConnectionInfo info = ConnectionInfo.builder(SERVER)
                .caPath("~/ca")
                .tokenPath("~/token")
                .certificatePath("~/cert")
                .privateKeyPath("~")
                .build();
        assertThat(info.caPath()).isEqualTo(home + "/ca");
        assertThat(info.tokenPath()).isEqualTo(home + "/token");
        assertThat(info.certificatePath()).isEqualTo(home + "/cert");
        assertThat(info.privateKeyPath()).isEqualTo(home);
    }

    @Test
    void neverShowsSecrets() {
        ConnectionInfo.Builder builder = ConnectionInfo.builder(SERVER)
                .username("user")
                .scheme("Own")
                .tokenPath("/token")
                .certificatePath("/cert")
                .defaultNamespace("ns")
                .expiration(Instant.EPOCH)
                .password("hush1")
                .token("hush2")
                .privateKeyData("hush3")
                .proxyUrl("http://u:hush4@p")
                .priority(7);
        assertThat(builder.build())
                .hasToString("ConnectionInfo[server=" + SERVER + ", username=user, scheme=Own, tokenPath=/token,"
                        + " certificatePath=/cert, defaultNamespace=ns, expiration=1970-01-01T00:00:00Z,"
                        + " password=***, token=***, privateKey=***, insecure=false, priority=7]");
        assertThat(builder.privateKeyData(null).privateKeyPath("/key").build().toString())
                .contains("privateKey=***")
                .doesNotContain("/key");
        assertThat(ConnectionInfo.builder(SERVER).build())
                .hasToString("ConnectionInfo[server=" + SERVER + ", insecure=false, priority=0]");
    }

    /** Debuggers, and messages of others, show parts, too. */
    @Test
    void noPartOfItShowsASecretAsText() {
        ConnectionData data = (ConnectionData) ConnectionInfo.builder(SERVER)
                .username("user")
                .password("hush")
                .token("hush")
                .caData("hush")
                .certificateData("hush")
                .privateKeyData("hush")
                .proxyUrl("http://u:hush@p")
                .build();
        assertThat(data.route() + " " + data.authorization() + " " + data.tls())
                .contains(SERVER)
                .doesNotContain("hush");
        assertThat(ConnectionData.Address.of("https://user:hush@host", false).toString())
                .contains("https://host", "user")
                .doesNotContain("hush");
    }

    @Test
    void aPasswordWithSlashesIsNotShownWhereTheAddressIsRefused() {
        assertThatThrownBy(
                        () -> ConnectionInfo.builder("https://user:hu_/sh@host").build())
                .hasMessageContaining("https://***@host")
                .hasMessageNotContaining("hu_");
    }

    /** Else the address that is shown is the one that is wanted, and nobody finds out. */
    @ParameterizedTest
    @ValueSource(strings = {"hu@sh", "hu/sh", "hu#sh", "hu?sh", "12#sh", "12?sh", "12/sh", "/sh", "hu%sh", "hu sh"})
    void specialCharactersOfAPasswordAreSaidToNeedAnEscape(String password) {
        assertThatThrownBy(() -> ConnectionInfo.builder("https://user:" + password + "@host:6443")
                        .build())
                .hasMessageContaining("'https://***@host:6443'")
                .hasMessageContaining("special characters of user and password must be escaped, such as %40 for @")
                .hasMessageNotContaining("sh@");
    }

    /** As kubectl takes it, but shown nowhere: the address stands in messages. */
    @Test
    void aUserInTheAddressIsNoPartOfIt() {
        ConnectionInfo info = ConnectionInfo.builder("https://user:hu%40sh@host:6443/path@x/")
                .token("t")
                .build();
        assertThat(info.server()).isEqualTo("https://host:6443/path@x");
        assertThat(info.username()).isEqualTo("user");
        assertThat(info.password()).isEqualTo("hu@sh");
        assertThat(info.toBuilder().build()).isEqualTo(info);
        assertThat(ConnectionInfo.builder("https://user@host").build().password())
                .isEmpty();
        ConnectionInfo colon =
                ConnectionInfo.builder("https://us%3Aer:hu+%3Ash@host").build();
        assertThat(colon.username()).isEqualTo("us:er");
        assertThat(colon.password()).isEqualTo("hu+:sh");
        assertThat(ConnectionInfo.builder("https://host/a//b@c").build().server())
                .isEqualTo("https://host/a//b@c");
        ConnectionInfo own = ConnectionInfo.builder("https://user:hush@host")
                .username("own")
                .password("secret")
                .build();
        assertThat(own.username()).isEqualTo("own");
        assertThat(own.password()).isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:hush@my_host",
                "https://user:hush @host",
                "ftp://user:hush@host",
                "user:hush@host:6443",
                "https:/user:hush@host",
                "https:user:hush@host",
                "user:hush://x@host",
                "hush@host"
            })
    void noMessageHasThePasswordOfTheAddress(String server) {
        assertThatThrownBy(() -> ConnectionInfo.builder(server).build())
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(failure -> assertThat(Throwables.getStackTrace(failure))
                        .contains("the server must be a URL")
                        .doesNotContain("hush"));
    }

    @Test
    void whatIsGivenIsThere() {
        ConnectionInfo info = ConnectionInfo.builder(SERVER)
                .caPath("/ca")
                .insecure(true)
                .username("user")
                .password("password")
                .scheme("scheme")
                .token("token")
                .tokenPath("/token")
                .certificatePath("/cert")
                .privateKeyPath("/key")
                .defaultNamespace("ns")
                .proxyUrl("http://proxy")
                .trustEnv(true)
                .tlsServerName("name")
                .priority(5)
                .expiration(Instant.EPOCH)
                .build();
        assertThat(List.of(info.insecure(), info.trustEnv(), info.priority())).containsExactly(true, true, 5);
        assertThat(Arrays.asList(
                        info.caPath(),
                        info.username(),
                        info.password(),
                        info.scheme(),
                        info.token(),
                        info.tokenPath(),
                        info.certificatePath(),
                        info.privateKeyPath(),
                        info.defaultNamespace(),
                        info.proxyUrl(),
                        info.tlsServerName(),
                        info.expiration()))
                .containsExactly(
                        "/ca",
                        "user",
                        "password",
                        "scheme",
                        "token",
                        "/token",
                        "/cert",
                        "/key",
                        "ns",
                        "http://proxy",
                        "name",
                        Instant.EPOCH);
    }

    @Test
    void changesThePriorityOnly() {
        ConnectionInfo info = ConnectionInfo.builder(SERVER).token("t").build();
        assertThat(info.withPriority(7))
                .isEqualTo(ConnectionInfo.builder(SERVER).token("t").priority(7).build());
    }
}
