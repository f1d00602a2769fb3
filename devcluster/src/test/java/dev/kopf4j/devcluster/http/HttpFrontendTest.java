package dev.kopf4j.devcluster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may send over a socket, and what they get. */
@Timeout(60)
class HttpFrontendTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static DevCluster cluster;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        cluster = DevCluster.start();
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static URI at(String path) {
        return URI.create(cluster.url() + path);
    }

    private static void create(String name, int size) {
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {a: '" + "x".repeat(size)
                + "'}}");
    }

    /** All that a server says to these bytes before it closes the connection. */
    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at("/").getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void groupsOfAnotherUserStandInHeadersOfTheirOwn() throws IOException {
        String answer = raw("POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\r\nHost: x\r\n"
                + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                + "Impersonate-User: user1\r\nImpersonate-Group: group2\r\nImpersonate-Group: ,,,chameleon\r\n\r\n{}");
        assertThat(answer).contains("\"groups\":[\"group2\",\",,,chameleon\",\"system:authenticated\"]");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            nonsense, 400
            GET /version HTTP/3.0, 400
            GET  HTTP/1.1, 400
            G(T /version HTTP/1.1, 400
            GET /api/v1/%zz HTTP/1.1, 400
            'GET /version HTTP/1.1\r\nno colon', 400
            'GET /version HTTP/1.1\r\nContent-Length: -1', 400
            'GET /version HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked', 400
            'GET /version HTTP/1.1\r\nTransfer-Encoding: gzip', 501
            'GET /version HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400
            """)
    void refusesWhatIsNoHttp(String request, int status) throws IOException {
        assertThat(raw(request.replace("\\r\\n", "\r\n") + "\r\n\r\n")).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void answersSeveralRequestsThatWereSentAtOnce() throws IOException {
        String two = "GET /healthz HTTP/1.1\r\n\r\nGET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n";
        assertThat(raw(two).split("HTTP/1.1 200 OK", -1)).hasSize(3);
    }

    @Test
    void readsBodiesInChunksAndTellsClientsToGoOn() throws IOException {
        String body = "{\"metadata\":{\"name\":\"chunked\"}}";
        String request = "POST " + MAPS + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
                + "Connection: close\r\n\r\n5;x=y\r\n" + body.substring(0, 5) + "\r\n"
                + Integer.toHexString(body.length() - 5) + "\r\n" + body.substring(5) + "\r\n0\r\nTrailer: a\r\n\r\n";
        assertThat(raw(request)).startsWith("HTTP/1.1 100 ").contains("HTTP/1.1 201 Created");
    }

    @Test
    void sendsNoBodyToHead() throws IOException {
        assertThat(raw("HEAD /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK")
                .endsWith("\r\n\r\n");
        assertThat(raw("HEAD /version HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .endsWith("\r\n\r\n");
    }

    @Test
    void compressesBigAnswersForClientsThatTakeIt() throws IOException, InterruptedException {
        create("big", 200_000);
        for (String path : new String[] {MAPS, MAPS + "/big"}) {
            HttpRequest request = HttpRequest.newBuilder(at(path))
                    .header("Accept-Encoding", "gzip")
                    .build();
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(response.body().length).isLessThan(100_000);
            assertThat(new String(
                            new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes(),
                            StandardCharsets.UTF_8))
                    .contains("x".repeat(200_000));
            HttpRequest plain = HttpRequest.newBuilder(at(path)).build();
            assertThat(client.send(plain, BodyHandlers.ofString()).body()).contains("x".repeat(200_000));
        }
        HttpRequest small = HttpRequest.newBuilder(at("/version"))
                .header("Accept-Encoding", "gzip")
                .build();
        assertThat(client.send(small, BodyHandlers.ofString()).headers().firstValue("Content-Encoding"))
                .isEmpty();
    }

    /** What follows on the connection would be taken for the next answer. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n"})
    void endsBigListsOnce(String header) throws IOException {
        create("long" + header.length(), 200_000);
        String answers = raw(
                "GET " + MAPS + " HTTP/1.1\r\n" + header + "\r\nGET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
        assertThat(answers)
                .contains("Transfer-Encoding: chunked", "\r\n0\r\n\r\nHTTP/1.1 200 OK")
                .doesNotContain("0\r\n\r\n0\r\n\r\n");
    }

    @Test
    void sendsAWatchOverAWebSocketAsClientsWantIt() throws InterruptedException {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    messages.add(text.toString());
                    text.setLength(0);
                }
                webSocket.request(1);
                return CompletableFuture.completedFuture(null);
            }
        };
        URI uri = URI.create(cluster.url().replace("http:", "ws:") + MAPS + "?watch=true&labelSelector=ws");
        WebSocket webSocket =
                client.newWebSocketBuilder().buildAsync(uri, listener).join();
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: small, labels: {ws: ''}}}");
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: large, labels: {ws: ''}}, data: {a: '"
                + "x".repeat(70_000) + "'}}");
        webSocket.sendPing(java.nio.ByteBuffer.wrap(new byte[] {1})).join();
        assertThat(messages.poll(10, TimeUnit.SECONDS)).contains("\"ADDED\"", "small");
        assertThat(messages.poll(10, TimeUnit.SECONDS)).contains("\"ADDED\"", "x".repeat(70_000));
        webSocket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    @Test
    void answersAWebSocketForAnythingElseAtOnce() throws IOException {
        String upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        assertThat(raw("GET /api/v1/namespaces/default/pods/a/exec?command=x HTTP/1.1\r\nConnection: close\r\n"
                        + upgrade))
                .startsWith("HTTP/1.1 4");
    }

    @Test
    void knowsClientsByTheirCertificates() throws Exception {
        try (DevCluster secure = DevCluster.start(Options.defaults().https(true).rbac(true))) {
            try (HttpClient jane = HttpClient.newBuilder()
                    .sslContext(Certificates.context(secure.kubeconfig("jane", "team")))
                    .build()) {
                HttpRequest review = HttpRequest.newBuilder(
                                URI.create(secure.url() + "/apis/authentication.k8s.io/v1/selfsubjectreviews"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"))
                        .build();
                assertThat(jane.send(review, BodyHandlers.ofString()).body())
                        .contains("\"username\":\"jane\"", "\"team\"", "system:authenticated");
                HttpRequest pods = HttpRequest.newBuilder(URI.create(secure.url() + "/api/v1/pods"))
                        .build();
                assertThat(jane.send(pods, BodyHandlers.ofString()).body())
                        .contains("User \\\"jane\\\" cannot list resource \\\"pods\\\"");
            }
        }
    }
}
