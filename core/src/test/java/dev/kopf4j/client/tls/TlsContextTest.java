package dev.kopf4j.client.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.socket.SocketTransport;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@link TlsContext} and {@link PemReader}. The certificates come from an authority of the test, were made by
 * openssl, and are valid for a century.
 */
@Timeout(30)
class TlsContextTest {
    private final Platform platform = new SystemPlatform();
    private final ActionSchedule deadlines = new ActionSchedule(platform, "deadlines");
    private HttpsServer server;

    @BeforeEach
    void startServer() throws Exception {
        serve("server");
    }

    private void serve(String identity) throws Exception {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        SSLContext context = TlsContext.of(ConnectionInfo.builder("https://localhost")
                .caPath(file("ca.crt"))
                .certificatePath(file(identity + ".crt"))
                .privateKeyPath(file(identity + ".key"))
                .build());
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setWantClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] name = peer((HttpsExchange) exchange).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, name.length);
                exchange.getResponseBody().write(name);
            }
        });
        server.start();
    }

    private static String peer(HttpsExchange exchange) {
        try {
            return exchange.getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "anonymous";
        }
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        deadlines.close();
    }

    private static String file(String name) throws Exception {
        return Path.of(TlsContextTest.class.getResource("/tls/" + name).toURI()).toString();
    }

    private static String text(String name) throws Exception {
        return Files.readString(Path.of(file(name)));
    }

    private ConnectionInfo.Builder builder() {
        return ConnectionInfo.builder("https://127.0.0.1:" + server.getAddress().getPort());
    }

    private String whoAmI(ConnectionInfo.Builder builder) throws Exception {
        try (SocketTransport transport =
                new SocketTransport(platform, builder.build(), NetworkSettings.DEFAULTS, deadlines)) {
            TransportResponse transportResponse =
                    transport.send(TransportRequest.get("/"), platform.after(Duration.ofSeconds(10)));
            return new String(transportResponse.body(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @Tag("G07")
    @CsvSource({
        "rsa-pkcs1, rsa-pkcs1, CN=rsa-pkcs1",
        "rsa-pkcs1, rsa-pkcs8, CN=rsa-pkcs1",
        "ec-sec1,   ec-sec1,   CN=ec-sec1",
        "ec-sec1,   ec-pkcs8,  CN=ec-sec1"
    })
    void presentsClientCertificatesOfAllForms(String certificate, String key, String name) throws Exception {
        String asPaths = whoAmI(builder()
                .caPath(file("ca.crt"))
                .certificatePath(file(certificate + ".crt"))
                .privateKeyPath(file(key + ".key")));
        assertThat(asPaths).contains(name);
        String asData = whoAmI(builder()
                .caData(text("ca.crt"))
                .certificateData(base64(text(certificate + ".crt")))
                .privateKeyData(base64(text(key + ".key"))));
        assertThat(asData).contains(name);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Tag("G07")
    void aContextOfTheLoginsOwnSecuresTheConnection() throws Exception {
        SSLContext own = TlsContext.of(builder()
                .caPath(file("ca.crt"))
                .certificatePath(file("ec-sec1.crt"))
                .privateKeyPath(file("ec-sec1.key"))
                .build());
        assertThat(whoAmI(builder().sslContext(own))).contains("CN=ec-sec1");
        assertThatThrownBy(() -> whoAmI(builder().sslContext(SSLContext.getDefault())))
                .isInstanceOf(SSLException.class);
    }

    @Test
    @Tag("G07")
    void certificatesNeedTheirKeys() throws Exception {
        assertThat(whoAmI(builder().caPath(file("ca.crt")).certificatePath(file("ec-sec1.crt"))))
                .isEqualTo("anonymous");
    }

    @Test
    @Tag("G07")
    void distrustsUnknownAuthorities() {
        assertThatThrownBy(() -> whoAmI(builder())).isInstanceOf(SSLException.class);
    }

    @Test
    @Tag("G08")
    void insecureConnectionsTrustAnybody() throws Exception {
        assertThat(whoAmI(builder().insecure(true))).isEqualTo("anonymous");
        server.stop(0);
        serve("elsewhere");
        assertThat(whoAmI(builder().insecure(true))).isEqualTo("anonymous");
    }

    @Test
    @Tag("G07")
    void checksTheNameOfTheServer() throws Exception {
        server.stop(0);
        serve("elsewhere");
        assertThatThrownBy(() -> whoAmI(builder().caPath(file("ca.crt")))).isInstanceOf(SSLException.class);
        for (String name : new String[] {"elsewhere.example.com", "any.WILD.example.com"}) {
            assertThat(whoAmI(builder().caPath(file("ca.crt")).tlsServerName(name)))
                    .isEqualTo("anonymous");
        }
        for (String name : new String[] {"other.example.com", "a.b.wild.example.com", "wild.example.com"}) {
            assertThatThrownBy(() -> whoAmI(builder().caPath(file("ca.crt")).tlsServerName(name)))
                    .isInstanceOf(SSLException.class)
                    .hasStackTraceContaining("tls-server-name");
        }
    }

    @Test
    void tellsWhatCannotBeRead() throws Exception {
        ConnectionInfo.Builder broken = builder().certificatePath(file("ec-sec1.crt"));
        assertThatThrownBy(() -> whoAmI(broken.privateKeyPath(file("ec-sec1.crt"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no private key");
        assertThatThrownBy(() -> whoAmI(builder().caPath("/no/such/file")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/no/such/file");
        assertThatThrownBy(() -> whoAmI(builder().caData("***"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> whoAmI(builder().caData("Zm9v"))).hasMessageContaining("no certificate");
    }
}
