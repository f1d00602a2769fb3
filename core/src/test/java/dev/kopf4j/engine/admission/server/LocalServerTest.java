package dev.kopf4j.engine.admission.server;

import static dev.kopf4j.engine.admission.server.ReviewServer.BODY_BYTES_MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.engine.admission.identity.NoSecrets;
import dev.kopf4j.engine.admission.identity.ServerIdentities;
import dev.kopf4j.engine.admission.identity.ServerIdentity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.webhook.ClientVerification;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookCertificate;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the server of {@code WebhookServer.local()} through real sockets. */
class LocalServerTest {
    private static final LocalWebhookServer LOOPBACK = WebhookServer.local().address("127.0.0.1");

    @TempDir
    private Path folder;

    private static WebhookCertificate certificate(String... names) {
        return WebhookCertificate.build(List.of(names), null, Instant.now());
    }

    private LocalWebhookServer given(WebhookCertificate certificate) throws IOException {
        Files.writeString(folder.resolve("tls.key"), certificate.keyPem());
        Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
        return LOOPBACK.certificate(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    }

    private static KeyManagerFactory keys(WebhookCertificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "client",
                PemReader.privateKey("key", certificate.keyPem(), null),
                new char[0],
                PemReader.certificates("certificate", certificate.certificatePem())
                        .toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        return keys;
    }

    @Test
    @Tag("J13")
    void aSelfSignedServerIsTrustedByItsBundleAndItsDump() throws Exception {
        Path dump = folder.resolve("ca.pem");
        try (ServerBench bench = new ServerBench(WebhookServer.local().caDump(dump), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            String url = ServerBench.url(config);
            assertThat(url).matches("https://localhost:\\d+");
            assertThat(config.caBundle()).contains(Files.readString(dump));

            HttpClient client = ServerBench.client(Files.readString(dump));
            assertThat(ServerBench.post(client, url + "/fn", "{}").body()).isEqualTo("fn|{}");
            assertThatThrownBy(() -> ServerBench.post(
                            ServerBench.client(certificate("localhost").certificatePem()), url, ""))
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    @Tag("J13")
    void oneConnectionServesManyRequests() throws Exception {
        try (ServerBench bench = new ServerBench(LOOPBACK, ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            URI url = URI.create(ServerBench.url(config));
            SSLContext tls = ServerBench.context(config.caBundle().orElseThrow());
            try (Socket socket = tls.getSocketFactory().createSocket(url.getHost(), url.getPort())) {
                for (int number = 0; number < 3; number++) {
                    socket.getOutputStream()
                            .write(("POST /fn HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n" + number)
                                    .getBytes(StandardCharsets.US_ASCII));
                    assertThat(response(socket)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nfn|" + number);
                }
            }
        }
    }

    /** One response with a body of four bytes. */
    private static String response(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().contains("\r\n\r\n")) {
            text.append((char) socket.getInputStream().read());
        }
        return text + new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
    }

    @Test
    @Tag("J13")
    void tls12AndTls13AreSpoken() throws Exception {
        try (ServerBench bench = new ServerBench(LOOPBACK, ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            URI url = URI.create(ServerBench.url(config));
            SSLContext tls = ServerBench.context(config.caBundle().orElseThrow());
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(url.getHost(), url.getPort())) {
                    socket.setEnabledProtocols(new String[] {protocol});
                    socket.startHandshake();
                    assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
                }
            }
        }
    }

    /** A ClientHello of TLS 1.1 (RFC 4346, 7.4.1.2) is answered by an alert, 70: protocol_version. */
    @Test
    @Tag("J13")
    void tls11IsRefused() throws Exception {
        byte[] random = new byte[32];
        String suites = "0004c009c013"; // with AES and SHA-1, for keys of EC and RSA
        String body = "0302" + HexFormat.of().formatHex(random) + "00" + suites + "0100";
        String message = "010000" + HexFormat.of().toHexDigits((byte) (body.length() / 2)) + body;
        String record = "16030100" + HexFormat.of().toHexDigits((byte) (message.length() / 2)) + message;
        try (ServerBench bench = new ServerBench(LOOPBACK, ServerBench::echo)) {
            URI url = URI.create(ServerBench.url(bench.nextConfig()));
            try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(60_000);
                socket.getOutputStream().write(HexFormat.of().parseHex(record));
                byte[] alert = socket.getInputStream().readNBytes(7);
                assertThat(alert).startsWith(0x15).endsWith(2, 70);
            }
        }
    }

    @ParameterizedTest
    @Tag("J21")
    @CsvSource({
        "/hooks/fn,            fn",
        "/hooks/fn/spec.field, fn/spec.field",
        "/hooks/fn%2Fspec.x,   fn/spec.x",
        "/hooks/a%20b,         a b",
        "/hooks/,              ''",
        "/hooks,               ''"
    })
    void whatFollowsThePathIsTheHandlersId(String path, String id) throws Exception {
        try (ServerBench bench = new ServerBench(LOOPBACK.path("hooks/").insecure(), ServerBench::echo)) {
            String url = ServerBench.url(bench.nextConfig());
            assertThat(url).endsWith("/hooks");
            String root = url.substring(0, url.length() - "/hooks".length());
            assertThat(ServerBench.post(ServerBench.client(null), root + path, "x")
                            .body())
                    .isEqualTo(id + "|x");
        }
    }

    @ParameterizedTest
    @Tag("J21")
    @ValueSource(ints = {400, 404, 409})
    void refusalsHaveTheirStatus(int status) throws Exception {
        ServerBench.Answer refusing = request -> {
            throw new WebhookException(status, "It is wrong.");
        };
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), refusing)) {
            HttpResponse<String> response =
                    ServerBench.post(ServerBench.client(null), ServerBench.url(bench.nextConfig()) + "/fn", "{}");
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body()).isEqualTo("It is wrong.\n");
        }
    }

    @Test
    @Tag("J21")
    void unexpectedErrorsAreTheOperatorsSecret() throws Exception {
        ServerBench.Answer broken = request -> {
            throw new IllegalStateException("the password is 123");
        };
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), broken)) {
            HttpResponse<String> response =
                    ServerBench.post(ServerBench.client(null), ServerBench.url(bench.nextConfig()) + "/fn", "{}");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("123", "Exception", "at dev.kopf4j");
        }
    }

    @Test
    @Tag("J21")
    void otherMethodsAndOtherPathsAreRefused() throws Exception {
        try (ServerBench bench = new ServerBench(LOOPBACK.path("/hooks").insecure(), ServerBench::echo)) {
            String url = ServerBench.url(bench.nextConfig());
            HttpClient client = ServerBench.client(null);
            HttpResponse<String> got = client.send(
                    HttpRequest.newBuilder(URI.create(url + "/fn")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(got.statusCode()).isEqualTo(405);
            assertThat(got.headers().firstValue("Allow")).contains("POST");
            assertThat(ServerBench.post(client, url + "more/fn", "").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    @Tag("J13")
    void headersAreHandedOn() throws Exception {
        ServerBench.Answer agents =
                request -> ServerBench.response(String.valueOf(request.headers().get("User-agent")));
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), agents)) {
            HttpResponse<String> response = ServerBench.client(null)
                    .send(
                            HttpRequest.newBuilder(URI.create(ServerBench.url(bench.nextConfig())))
                                    .header("User-Agent", "kube-apiserver-admission")
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).isEqualTo("[kube-apiserver-admission]");
        }
    }

    @Test
    @Tag("J13")
    void aBodyBeyondTheLimitIsRefusedAndTheNextOneIsServed() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ServerBench.Answer counting = request -> {
            asked.incrementAndGet();
            return ServerBench.response(String.valueOf(request.body().length));
        };
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), counting)) {
            String url = ServerBench.url(bench.nextConfig());
            HttpClient client = ServerBench.client(null);
            assertThat(ServerBench.post(client, url, new byte[BODY_BYTES_MAX + 1])
                            .statusCode())
                    .isEqualTo(413);
            assertThat(asked).hasValue(0);
            assertThat(ServerBench.post(client, url, new byte[BODY_BYTES_MAX]).body())
                    .isEqualTo(String.valueOf(BODY_BYTES_MAX));
        }
    }

    /** Bytes of all sorts in place of requests. The seed is in the message of a failure. */
    @Test
    @Tag("J21")
    void garbageLeavesTheServerServing() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        ServerBench.Answer parsing = request -> {
            throw new WebhookException(400, "bad");
        };
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), parsing)) {
            URI url = URI.create(ServerBench.url(bench.nextConfig()));
            for (int number = 0; number < 50; number++) {
                try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                    byte[] bytes = new byte[random.nextInt(300)];
                    random.nextBytes(bytes);
                    String front = random.nextBoolean()
                            ? "POST /%zz HTTP/1.1\r\n"
                            : "POST /fn HTTP/1.1\r\nContent-Length: 10\r\n\r\n";
                    socket.getOutputStream()
                            .write((random.nextBoolean() ? front : "").getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().write(bytes);
                }
                byte[] body = new byte[random.nextInt(100)];
                random.nextBytes(body);
                HttpResponse<String> response = ServerBench.post(ServerBench.client(null), url + "/fn", body);
                assertThat(response.statusCode()).as("seed %d", seed).isEqualTo(400);
            }
        }
    }

    @Test
    @Tag("J16")
    void plainHttpHasNoBundle() throws Exception {
        try (ServerBench bench = new ServerBench(LOOPBACK.insecure(), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            assertThat(ServerBench.url(config)).startsWith("http://127.0.0.1:");
            assertThat(config.caBundle()).isEmpty();
            assertThat(ServerBench.post(ServerBench.client(null), ServerBench.url(config) + "/fn", "x")
                            .body())
                    .isEqualTo("fn|x");
        }
    }

    @Test
    @Tag("J14")
    void aGivenCertificateIsShownAndIsItsOwnBundle() throws Exception {
        WebhookCertificate given = certificate("127.0.0.1");
        try (ServerBench bench = new ServerBench(given(given), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            assertThat(config.caBundle()).contains(given.certificatePem());
            assertThat(ServerBench.post(ServerBench.client(given.certificatePem()), ServerBench.url(config) + "/a", "")
                            .body())
                    .isEqualTo("a|");
        }
    }

    @Test
    @Tag("J14")
    @Tag("L37")
    void anEncryptedKeyIsOpenedByItsPassword() throws Exception {
        WebhookCertificate locked = WebhookCertificate.build(List.of("127.0.0.1"), "secret", Instant.now());
        assertThat(locked.keyPem()).contains("BEGIN ENCRYPTED PRIVATE KEY");
        try (ServerBench bench = new ServerBench(given(locked).password("secret"), ServerBench::echo)) {
            String url = ServerBench.url(bench.nextConfig());
            assertThat(ServerBench.post(ServerBench.client(locked.certificatePem()), url + "/a", "")
                            .statusCode())
                    .isEqualTo(200);
        }
        try (ServerBench bench = new ServerBench(given(locked).password("wrong"), ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining("password");
        }
    }

    @Test
    @Tag("J14")
    void authoritiesMayBeGivenApart() throws Exception {
        WebhookCertificate given = certificate("127.0.0.1");
        Path file =
                Files.writeString(folder.resolve("ca.crt"), certificate("ca").certificatePem());
        try (ServerBench bench = new ServerBench(given(given).ca(file), ServerBench::echo)) {
            assertThat(bench.nextConfig().caBundle()).contains(Files.readString(file));
        }
        try (ServerBench bench = new ServerBench(given(given).ca("the text"), ServerBench::echo)) {
            assertThat(bench.nextConfig().caBundle()).contains("the text");
        }
    }

    /** Clients trust both certificates before the server changes, and the new one only after. */
    @Test
    @Tag("J14")
    void aRenewedCertificateIsShownWithoutClosingThePort() throws Exception {
        WebhookCertificate old = certificate("127.0.0.1");
        WebhookCertificate renewed = certificate("127.0.0.1");
        try (ServerBench bench =
                new ServerBench(given(old).fileCheckInterval(Duration.ofMillis(200)), ServerBench::echo)) {
            WebhookClientConfig first = bench.nextConfig();
            given(renewed);
            WebhookClientConfig between = bench.nextConfig();
            WebhookClientConfig last = bench.nextConfig();

            assertThat(between.caBundle().orElseThrow()).contains(old.certificatePem(), renewed.certificatePem());
            assertThat(last.caBundle()).contains(renewed.certificatePem());
            String url = ServerBench.url(last);
            assertThat(url).isEqualTo(ServerBench.url(first));
            assertThat(ServerBench.post(ServerBench.client(renewed.certificatePem()), url, "")
                            .statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> ServerBench.post(ServerBench.client(old.certificatePem()), url, ""))
                    .isInstanceOf(SSLException.class);
        }
    }

    /** Files are written one after the other, by somebody who does not know of us. */
    @Test
    @Tag("J14")
    void aHalfRenewedCertificateIsNotShown() throws Exception {
        WebhookCertificate old = certificate("127.0.0.1");
        WebhookCertificate renewed = certificate("127.0.0.1");
        LocalWebhookServer server = given(old).fileCheckInterval(Duration.ofMillis(50));
        ServerIdentities identities = new ServerIdentities(new SystemPlatform(), NoSecrets.INSTANCE, server);
        identities.current();
        assertThat(identities.renewed()).isEmpty();

        Files.writeString(folder.resolve("tls.crt"), renewed.certificatePem());
        assertThatThrownBy(identities::renewed)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("is not that of the certificate");
        Files.delete(folder.resolve("tls.key"));
        assertThatThrownBy(identities::renewed).isInstanceOf(OperatorException.class);
        Files.writeString(folder.resolve("tls.key"), renewed.keyPem());
        assertThat(identities.renewed().map(ServerIdentity::caPem)).contains(renewed.certificatePem());
        assertThat(identities.renewed()).isEmpty();
    }

    @Test
    @Tag("J15")
    void verifiedCertificatesOfClientsAreHandedOn() throws Exception {
        WebhookCertificate friend = certificate("friend");
        Path authority = Files.writeString(folder.resolve("client.pem"), friend.certificatePem());
        AtomicReference<@Nullable WebhookRequest> seen = new AtomicReference<>();
        ServerBench.Answer remembering = request -> {
            seen.set(request);
            return ServerBench.response("ok");
        };
        try (ServerBench bench = new ServerBench(LOOPBACK.clientCa(authority), remembering)) {
            WebhookClientConfig config = bench.nextConfig();
            String ca = config.caBundle().orElseThrow();
            String url = ServerBench.url(config);

            ServerBench.post(ServerBench.client(ca), url, "");
            assertThat(Objects.requireNonNull(seen.get()).clientCertificate()).isEmpty();
            ServerBench.post(ServerBench.client(ca, keys(friend)), url, "");
            assertThat(Objects.requireNonNull(seen.get())
                            .clientCertificate()
                            .map(X509Certificate::getSubjectX500Principal)
                            .map(Object::toString))
                    .contains("CN=friend");
            seen.set(null);
            WebhookCertificate stranger = certificate("friend");
            assertThatThrownBy(() -> ServerBench.post(ServerBench.client(ca, keys(stranger)), url, ""))
                    .isInstanceOf(IOException.class);
            assertThat(seen).hasValue(null);
        }
    }

    @Test
    @Tag("J15")
    void whereCertificatesAreRequiredNobodyIsServedWithoutOne() throws Exception {
        WebhookCertificate friend = certificate("friend");
        Path authorities = Files.createDirectory(folder.resolve("authorities"));
        Files.writeString(authorities.resolve("one.pem"), certificate("other").certificatePem());
        Files.writeString(authorities.resolve("two.pem"), friend.certificatePem());
        LocalWebhookServer server = LOOPBACK.clientCa(authorities).clientCertificates(ClientVerification.REQUIRED);
        try (ServerBench bench = new ServerBench(server, ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            String ca = config.caBundle().orElseThrow();
            assertThatThrownBy(() -> ServerBench.post(ServerBench.client(ca), ServerBench.url(config), ""))
                    .isInstanceOf(IOException.class);
            assertThat(ServerBench.post(ServerBench.client(ca, keys(friend)), ServerBench.url(config), "")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @Tag("J13")
    void aContextOfTheUsersOwnIsTakenAsItIs() throws Exception {
        WebhookCertificate own = certificate("127.0.0.1");
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys(own).getKeyManagers(), null, null);
        try (ServerBench bench = new ServerBench(LOOPBACK.sslContext(context), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            assertThat(config.caBundle()).isEmpty();
            assertThat(ServerBench.post(ServerBench.client(own.certificatePem()), ServerBench.url(config), "")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @Tag("J13")
    void aPortInUseIsToldWithTheWayOut() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                ServerBench bench = new ServerBench(LOOPBACK.port(taken.getLocalPort()), ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("settings.admission().server");
        }
    }

    @Test
    @Tag("J14")
    void aMissingFileIsToldByItsName() throws Exception {
        Path nowhere = folder.resolve("nowhere.crt");
        try (ServerBench bench = new ServerBench(LOOPBACK.certificate(nowhere, nowhere), ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining(nowhere.toString());
        }
    }

    @Test
    @Tag("J35")
    void aServerThatStopsGoesOnForAWhileButKeepsNoConnection() throws Exception {
        JumpingPlatform platform = new JumpingPlatform();
        LocalWebhookServer server = LOOPBACK.insecure().stopDelay(Duration.ofMinutes(3));
        ServerBench bench = new ServerBench(platform, server, ServerBench::echo);
        String url = ServerBench.url(bench.nextConfig()) + "/fn";
        HttpClient client = ServerBench.client(null);
        assertThat(ServerBench.post(client, url, "x").headers().firstValue("connection"))
                .isEmpty();
        Task closing = platform.spawn("closing", bench::close);
        while (ServerBench.post(client, url, "x")
                .headers()
                .firstValue("connection")
                .isEmpty()) {
            Thread.onSpinWait(); // it has not begun to stop
        }
        assertThat(ServerBench.post(client, url, "y").body()).isEqualTo("fn|y");
        platform.jump(Duration.ofMinutes(3));
        assertThat(closing.join(Deadline.NEVER)).isTrue();
        assertThatThrownBy(() -> ServerBench.post(client, url, "z")).isInstanceOf(IOException.class);
    }
}
