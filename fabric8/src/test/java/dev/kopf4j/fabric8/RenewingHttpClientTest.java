package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.spi.CredentialRenewal;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.impl.BaseClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link RenewingHttpClient}. */
@Timeout(60)
class RenewingHttpClientTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final CertificateAuthority OLD = CertificateAuthority.make("old", NOW, Duration.ofDays(36500));
    private static final CertificateAuthority NEW = CertificateAuthority.make("new", NOW, Duration.ofDays(36500));

    /** What the servers have seen, in order: the server, and the header or the issuer of the client's certificate. */
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private final List<HttpServer> servers = new ArrayList<>();
    private final Renewal renewal = new Renewal();
    /** Whom all servers answer 401. */
    private volatile String rejecting = "";

    @TempDir
    private Path folder;

    /** What the operator does about its credentials. */
    private static final class Renewal implements CredentialRenewal {
        final List<String> asked = new CopyOnWriteArrayList<>();
        /** What the operator uses; null for the same as ever. */
        volatile @Nullable ConnectionInfo latest;

        /** What a login gives; null for the same as ever. */
        volatile @Nullable ConnectionInfo next;

        @Override
        public ConnectionInfo renew(ConnectionInfo rejected) {
            asked.add("401");
            return login(rejected);
        }

        @Override
        public ConnectionInfo tlsFailed(ConnectionInfo used) {
            asked.add("TLS");
            return login(used);
        }

        private ConnectionInfo login(ConnectionInfo used) {
            ConnectionInfo given = next;
            latest = given == null ? used : given;
            return latest(used);
        }

        @Override
        public ConnectionInfo latest(ConnectionInfo used) {
            ConnectionInfo own = latest;
            return own == null ? used : own;
        }
    }

    @BeforeEach
    void writeFiles() throws IOException {
        write("ca", OLD.certificatePem());
        writeClient(OLD);
    }

    private void writeClient(CertificateAuthority by) throws IOException {
        CertificateAuthority.Issued client = by.issueToClient("me", List.of(), NOW, Duration.ofDays(36500));
        write("crt", client.certificatePem());
        write("key", client.keyPem());
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    @Test
    @Tag("G09")
    void readsAReplacedAuthorityAgain() throws Exception {
        HttpServer first = start(0, OLD, OLD, false);
        try (KubernetesClient client = open(withFiles(first))) {
            client.pods().list();
            write("ca", NEW.certificatePem());
            restart(first, NEW, OLD);
            client.pods().list();
            client.pods().list();
        }
        assertThat(renewal.asked).containsExactly("TLS");
        assertThat(seen).containsExactly("null old", "null old", "null old");
    }

    @Test
    @Tag("G09")
    void showsAReplacedCertificateAfterAHandshakeThatFailed() throws Exception {
        HttpServer first = start(0, OLD, OLD, false);
        try (KubernetesClient client = open(withFiles(first))) {
            client.pods().list();
            writeClient(NEW);
            restart(first, OLD, NEW);
            client.pods().list();
        }
        assertThat(renewal.asked).contains("TLS");
        assertThat(seen).containsExactly("null old", "null new");
    }

    @Test
    @Tag("G09")
    void showsAReplacedCertificateAfterARejection() throws Exception {
        HttpServer server = start(0, OLD, null, false);
        try (KubernetesClient client = open(withFiles(server))) {
            client.pods().list();
            writeClient(NEW);
            rejecting = "null old";
            client.pods().list();
            client.pods().list();
        }
        assertThat(renewal.asked).containsExactly("401");
        assertThat(seen).containsExactly("null old", "null old", "null new", "null new");
    }

    @Test
    @Tag("G09")
    void aRejectedCertificateThatWasNotReplacedIsNotSentAgain() throws Exception {
        HttpServer server = start(0, OLD, null, false);
        rejecting = "null old";
        try (KubernetesClient client = open(withFiles(server))) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.pods().list())
                    .withMessageContaining("Unauthorized");
        }
        assertThat(renewal.asked).containsExactly("401");
        assertThat(seen).containsExactly("null old");
    }

    @Test
    @Tag("G09")
    void aReplacedCertificateThatCannotBeReadYetLeavesTheOldOneInUse() throws Exception {
        HttpServer server = start(0, OLD, null, false);
        try (KubernetesClient client = open(withFiles(server))) {
            write("crt", "half of it");
            renewal.latest = withFiles(server).defaultNamespace("other").build();
            client.pods().list();
        }
        assertThat(seen).containsExactly("null old");
    }

    @Test
    @Tag("G09")
    void usesWhatTheOperatorHasChangedTo() throws Exception {
        HttpServer server = start(0, OLD, null, false);
        ConnectionInfo.Builder authorized = ConnectionInfo.builder(url(server)).caPath(file("ca"));
        try (KubernetesClient client = open(authorized.token("old"))) {
            client.pods().list();
            CertificateAuthority.Issued issued = NEW.issueToClient("me", List.of(), NOW, Duration.ofDays(36500));
            renewal.latest = authorized
                    .token("new")
                    .certificateData(issued.certificatePem())
                    .privateKeyData(issued.keyPem())
                    .build();
            client.pods().list();
        }
        assertThat(renewal.asked).isEmpty();
        assertThat(seen).containsExactly("Bearer old -", "Bearer new new");
    }

    @Test
    @Tag("G09")
    void anotherServerGetsTheNewCredentialsAndTheOldOneNone() throws Exception {
        HttpServer first = start(0, null, null, false);
        HttpServer second = start(0, null, null, true);
        renewal.next =
                ConnectionInfo.builder(url(second) + "/prefix").token("new").build();
        try (KubernetesClient client = open(ConnectionInfo.builder(url(first)).token("old"))) {
            client.pods().list();
            rejecting = "Bearer old -";
            client.pods().list();
            client.pods().list();
        }
        assertThat(seen)
                .containsExactly(
                        "Bearer old -",
                        "Bearer old -",
                        "second /prefix/api/v1/namespaces/default/pods Bearer new -",
                        "second /prefix/api/v1/namespaces/default/pods Bearer new -");
    }

    @Test
    @Tag("G09")
    void serversOfOthersGetNoCredentials() throws Exception {
        HttpServer first = start(0, null, null, false);
        HttpServer other = start(0, null, null, true);
        try (KubernetesClient client = open(ConnectionInfo.builder(url(first)).token("old"))) {
            client.raw(url(other) + "/api");
        }
        assertThat(seen).containsExactly("second /api null -");
    }

    @Test
    @Tag("G09")
    void websocketsAreOpenedOnAnotherServer() throws Exception {
        HttpServer first = start(0, null, null, false);
        rejecting = "Bearer old -";
        try (ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.startVirtualThread(() -> acceptWebSocket(second));
            renewal.next = ConnectionInfo.builder("http://127.0.0.1:" + second.getLocalPort())
                    .token("new")
                    .build();
            try (KubernetesClient client =
                    open(ConnectionInfo.builder(url(first)).token("old"))) {
                client.adapt(BaseClient.class)
                        .getHttpClient()
                        .newWebSocketBuilder()
                        .uri(URI.create(client.getMasterUrl() + "api/v1/namespaces/default/pods/pod/exec"))
                        .subprotocol("v4.channel.k8s.io")
                        .buildAsync(new WebSocket.Listener() {})
                        .join()
                        .sendClose(1000, "");
            }
            answering.join();
        }
        assertThat(renewal.asked).containsExactly("401");
        assertThat(seen).containsExactly("Bearer old -", "websocket Bearer new, User-Agent: kopf4j");
    }

    private void acceptWebSocket(ServerSocket server) {
        try (Socket socket = server.accept()) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            List<String> head = lines.lines().takeWhile(line -> !line.isEmpty()).toList();
            seen.add("websocket " + header(head, "Authorization") + ", User-Agent: "
                    + header(head, "User-Agent").replaceAll("/.*", ""));
            byte[] key = (header(head, "Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                    .getBytes(StandardCharsets.ISO_8859_1);
            String accept = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(key));
            String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n";
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            // Until the client ends it.
            var _ = lines.read();
        } catch (IOException | GeneralSecurityException e) {
            seen.add(e.toString());
        }
    }

    private static String header(List<String> head, String name) {
        return head.stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("none");
    }

    private KubernetesClient open(ConnectionInfo.Builder connection) {
        return Fabric8Clients.open(connection.build(), renewal, (method, target, answer) -> {});
    }

    private ConnectionInfo.Builder withFiles(HttpServer server) {
        return ConnectionInfo.builder(url(server))
                .caPath(file("ca"))
                .certificatePath(file("crt"))
                .privateKeyPath(file("key"));
    }

    private static String url(HttpServer server) {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    /** The same address. */
    private void restart(HttpServer server, CertificateAuthority identity, CertificateAuthority clients)
            throws IOException, GeneralSecurityException {
        server.stop(0);
        var _ = start(server.getAddress().getPort(), identity, clients, false);
    }

    /**
     * Starts a server.
     *
     * @param identity who has signed its certificate; null without TLS
     * @param clients who has to have signed the certificates of clients; null for anybody, or none
     */
    private HttpServer start(
            int port, @Nullable CertificateAuthority identity, @Nullable CertificateAuthority clients, boolean second)
            throws IOException, GeneralSecurityException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer server = identity == null ? HttpServer.create(address, 0) : HttpsServer.create(address, 0);
        if (server instanceof HttpsServer secured && identity != null) {
            secured.setHttpsConfigurator(configurator(identity, clients));
        }
        server.createContext("/", exchange -> answer(exchange, second));
        server.start();
        servers.add(server);
        return server;
    }

    private static HttpsConfigurator configurator(CertificateAuthority by, @Nullable CertificateAuthority clients) {
        CertificateAuthority.Issued issued =
                by.issue(ServerNames.of(List.of("127.0.0.1")), NOW, Duration.ofDays(36500));
        ConnectionInfo.Builder identity = ConnectionInfo.builder("https://localhost")
                .certificateData(issued.certificatePem())
                .privateKeyData(issued.keyPem());
        SSLContext context = TlsContext.of(
                (clients == null ? identity.insecure(true) : identity.caData(clients.certificatePem())).build());
        return new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                if (clients == null) {
                    wanted.setWantClientAuth(true);
                } else {
                    wanted.setNeedClientAuth(true);
                }
                parameters.setSSLParameters(wanted);
            }
        };
    }

    private void answer(HttpExchange exchange, boolean second) throws IOException {
        try (exchange) {
            String who = exchange.getRequestHeaders().getFirst("Authorization") + " " + issuer(exchange);
            seen.add(second ? "second " + exchange.getRequestURI().getPath() + " " + who : who);
            byte[] pods = "{\"kind\":\"PodList\",\"items\":[]}".getBytes(StandardCharsets.UTF_8);
            boolean accepted = !who.equals(rejecting);
            exchange.sendResponseHeaders(accepted ? 200 : 401, accepted ? pods.length : -1);
            if (accepted) {
                exchange.getResponseBody().write(pods);
            }
        }
    }

    private static String issuer(HttpExchange exchange) {
        try {
            return exchange instanceof HttpsExchange secured
                    ? ((X509Certificate) secured.getSSLSession().getPeerCertificates()[0])
                            .getIssuerX500Principal()
                            .getName()
                            .replaceAll("CN=| .*", "")
                    : "-";
        } catch (IOException e) {
            return "-";
        }
    }
}
