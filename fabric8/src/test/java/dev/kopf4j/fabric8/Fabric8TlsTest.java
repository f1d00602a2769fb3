package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.spi.Integration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The certificates are those of the core's own tests. */
@Timeout(60)
class Fabric8TlsTest {
    private static final Path FILES = Path.of("../core/src/test/resources/tls").toAbsolutePath();

    private HttpsServer server;

    @BeforeEach
    void start() throws IOException {
        ConnectionInfo identity = ConnectionInfo.builder("https://localhost")
                .caPath(file("ca.crt"))
                .certificatePath(file("server.crt"))
                .privateKeyPath(file("server.key"))
                .build();
        SSLContext context = TlsContext.of(identity);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.createContext("/", exchange -> {
            byte[] pods = "{\"kind\":\"PodList\",\"items\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, pods.length);
            exchange.getResponseBody().write(pods);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void takesTheContextOfALogin() throws IOException, GeneralSecurityException {
        SSLContext own = TlsContext.of(connection()
                .caPath(file("ca.crt"))
                .certificatePath(file("ec-sec1.crt"))
                .privateKeyPath(file("ec-sec1.key"))
                .build());
        list(connection().sslContext(own));
        ConnectionInfo.Builder distrusting = connection().sslContext(SSLContext.getDefault());
        assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(() -> list(distrusting));
    }

    @ParameterizedTest
    @CsvSource({"rsa-pkcs1, rsa-pkcs1", "rsa-pkcs1, rsa-pkcs8", "ec-sec1, ec-sec1", "ec-sec1, ec-pkcs8"})
    void presentsClientCertificatesOfAllForms(String certificate, String key) throws IOException {
        list(connection()
                .caPath(file("ca.crt"))
                .certificatePath(file(certificate + ".crt"))
                .privateKeyPath(file(key + ".key")));
        list(connection()
                .caData(Files.readString(FILES.resolve("ca.crt")))
                .certificateData(Files.readString(FILES.resolve(certificate + ".crt")))
                .privateKeyData(Files.readString(FILES.resolve(key + ".key"))));
    }

    @Test
    void trustsAnybodyOnlyIfInsecure() {
        list(certified().insecure(true));
        assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(() -> list(certified()));
    }

    private ConnectionInfo.Builder certified() {
        return connection().certificatePath(file("ec-sec1.crt")).privateKeyPath(file("ec-sec1.key"));
    }

    private ConnectionInfo.Builder connection() {
        return ConnectionInfo.builder("https://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void list(ConnectionInfo.Builder connection) {
        Integration.Access access =
                new Integration.Access(connection.build(), rejected -> rejected, (method, target, answer) -> {});
        try (AutoCloseable client = new Fabric8Integration().open(KubernetesClient.class, access)) {
            assertThat(((KubernetesClient) client).pods().list().getItems()).isEmpty();
        } catch (KubernetesClientException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("closing has failed", e);
        }
    }

    private static String file(String name) {
        return FILES.resolve(name).toString();
    }
}
