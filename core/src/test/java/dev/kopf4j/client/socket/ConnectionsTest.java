package dev.kopf4j.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.client.transport.Transport.ClosedTransportException;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Writer;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of connections: reuse, servers that close them, proxies, TLS, deadlines. */
@Timeout(30)
class ConnectionsTest {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final Platform platform = new SystemPlatform();
    private final ActionSchedule deadlines = new ActionSchedule(platform, "deadlines");
    private final Monitor monitor = platform.monitor();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        deadlines.close();
    }

    private Deadline soon() {
        return platform.after(Duration.ofSeconds(10));
    }

    private Deadline atOnce() {
        return platform.after(Duration.ofMillis(100));
    }

    private SocketTransport transport(ConnectionInfo info) {
        return new SocketTransport(platform, info, NetworkSettings.DEFAULTS, deadlines);
    }

    private SocketTransport transport(ScriptedServer server) {
        return transport(
                ConnectionInfo.builder("http://127.0.0.1:" + server.port()).build());
    }

    private static TransportRequest patch() {
        return new TransportRequest("PATCH", "/x", Map.of(), new byte[0]);
    }

    @Test
    void aConnectionServesOneRequestAfterAnother() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::answerAll);
                SocketTransport transport = transport(server)) {
            for (int number = 0; number < 5; number++) {
                assertThat(transport.send(patch(), soon()).status()).isEqualTo(200);
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private void answerAll(ScriptedServer.Connection connection) throws IOException {
        for (String head = connection.head(); !head.isEmpty(); head = connection.head()) {
            heads.add(head);
            connection.answer(EMPTY);
        }
    }

    @Test
    @Tag("B01")
    void allPagesOfAListComeOverOneConnection() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::answerPages);
                SocketTransport transport = transport(server)) {
            KubernetesApi api = new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS);
            List<ObjectNode> seen = new ArrayList<>();
            var _ = api.list(WellKnownResources.NAMESPACES, null, 1, seen::add);
            assertThat(seen).hasSize(2);
            assertThat(heads).hasSize(2);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private void answerPages(ScriptedServer.Connection connection) throws IOException {
        for (String head = connection.head(); !head.isEmpty(); head = connection.head()) {
            heads.add(head);
            String next = heads.size() == 1 ? "more" : "";
            String page =
                    "{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\""
                            + next + "\"},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}\n";
            connection.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(page.length()) + "\r\n" + page + "\r\n");
            connection.answer("0\r\n\r\n");
        }
    }

    @Test
    void aConnectionThatTheServerWantsToCloseIsNotUsedAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(connection -> {
                    connection.head();
                    connection.answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                });
                SocketTransport transport = transport(server)) {
            transport.send(patch(), soon());
            transport.send(patch(), soon());
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** The first connection answers once, takes one more request, and is closed. */
    private void closeAtTheSecondRequest(ScriptedServer.Connection connection) throws IOException {
        heads.add(connection.head());
        connection.answer(EMPTY);
        String second = connection.head();
        if (!second.isEmpty()) {
            heads.add(second);
        }
        if (connection.number() > 1) {
            connection.answer(EMPTY);
        }
    }

    @Test
    void whatChangesNothingIsSentAgainIfTheServerClosesAConnectionThatRested() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::closeAtTheSecondRequest);
                SocketTransport transport = transport(server)) {
            transport.send(TransportRequest.get("/1"), soon());
            assertThat(transport.send(TransportRequest.get("/2"), soon()).status())
                    .isEqualTo(200);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aChangeIsNotSentAgainBecauseTheServerMayHaveMadeIt() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::closeAtTheSecondRequest);
                SocketTransport transport = transport(server)) {
            transport.send(patch(), soon());
            assertThatThrownBy(() -> transport.send(patch(), soon()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the server closed the connection without an answer");
            assertThat(heads).hasSize(2);
        }
    }

    @Test
    void aConnectionThatWasClosedWhileItRestedIsNotUsed() throws Exception {
        try (ScriptedServer server = new ScriptedServer(connection -> {
                    connection.head();
                    connection.answer(EMPTY);
                });
                SocketTransport transport = transport(server)) {
            transport.send(patch(), soon());
            // Longer than a connection is trusted without a look.
            platform.sleep(Duration.ofMillis(150));
            assertThat(transport.send(patch(), soon()).status()).isEqualTo(200);
        }
    }

    @Test
    void whatNobodyUsesIsClosedAfterAWhile() throws Exception {
        boolean[] ended = {false};
        try (ScriptedServer server = new ScriptedServer(connection -> {
            answerAll(connection);
            monitor.locked(() -> {
                ended[0] = true;
            });
        })) {
            ConnectionInfo info =
                    ConnectionInfo.builder("http://127.0.0.1:" + server.port()).build();
            ConnectionOpener opener =
                    new ConnectionOpener(platform, info, ServerAddress.of(info.server()), Optional.empty(), null);
            ConnectionPool pool = new ConnectionPool(platform, opener, deadlines, Duration.ofMillis(20));
            try (ExchangeDeadline deadline = new ExchangeDeadline(platform, soon(), deadlines)) {
                pool.lease(deadline).release(true);
            }
            assertThat(monitor.awaitTrue(() -> ended[0], soon())).isTrue();
        }
    }

    /** As a name with an address for each control plane node, one of which is off. */
    @Test
    void anAddressThatDoesNotAnswerTakesAShareOfTheTimeAlone() throws Exception {
        InetAddress dead = InetAddress.getByName("127.0.0.2");
        InetAddress alive = InetAddress.getLoopbackAddress();
        List<Socket> queue = new ArrayList<>();
        try (ScriptedServer server = new ScriptedServer(this::answerAll);
                ServerSocket full = bound(dead, server.port())) {
            fill(full, queue);
            ConnectionInfo info =
                    ConnectionInfo.builder("http://api:" + server.port()).build();
            ConnectionOpener opener = new ConnectionOpener(
                    platform,
                    _ -> new InetAddress[] {dead, alive},
                    info,
                    ServerAddress.of(info.server()),
                    Optional.empty(),
                    null);
            Deadline half = platform.after(Duration.ofSeconds(1));
            try (ExchangeDeadline deadline =
                    new ExchangeDeadline(platform, platform.after(Duration.ofSeconds(2)), deadlines)) {
                opener.open(deadline).close();
            }
            assertThat(half.hasPassed(platform))
                    .as("half of the time went to the first address")
                    .isTrue();
            try (ExchangeDeadline deadline = new ExchangeDeadline(platform, atOnce(), deadlines)) {
                opener.open(deadline).close(); // where it worked last
            }
        } finally {
            for (Socket each : queue) {
                each.close();
            }
        }
    }

    /** Listens, and takes nobody; skips the test where a machine has one loopback address alone. */
    private static ServerSocket bound(InetAddress address, int port) {
        try {
            return new ServerSocket(port, 1, address);
        } catch (IOException e) {
            return Assumptions.abort("this machine does not listen at " + address + ": " + e);
        }
    }

    /** Connects until nobody else can. */
    private static void fill(ServerSocket listener, List<Socket> queue) throws IOException {
        try {
            while (queue.size() < 100) {
                Socket socket = new Socket();
                queue.add(socket);
                socket.connect(listener.getLocalSocketAddress(), 100);
            }
        } catch (SocketTimeoutException e) {
            assertThat(queue).isNotEmpty();
        }
    }

    @Test
    void aServerThatShakesNoHandsMeetsTheDeadline() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(connection -> connection.in().transferTo(Writer.nullWriter()));
                SocketTransport transport = transport(ConnectionInfo.builder("https://127.0.0.1:" + server.port())
                        .insecure(true)
                        .build())) {
            assertThatThrownBy(() -> transport.send(patch(), atOnce())).isInstanceOf(RequestTimeoutException.class);
        }
    }

    @Test
    @SuppressWarnings("try") // closing it is the test
    void aTransportThatIsClosedBreaksWhatIsStillConnecting() throws Exception {
        boolean[] connected = {false};
        Object[] outcome = {null};
        try (ScriptedServer server = new ScriptedServer(connection -> {
                    monitor.locked(() -> {
                        connected[0] = true;
                    });
                    connection.in().transferTo(Writer.nullWriter());
                });
                SocketTransport transport = transport(ConnectionInfo.builder("https://127.0.0.1:" + server.port())
                        .insecure(true)
                        .build())) {
            Task sender = platform.spawn("sender", () -> {
                try {
                    outcome[0] = transport.send(patch(), Deadline.NEVER);
                } catch (IOException | InterruptedException e) {
                    outcome[0] = e;
                }
            });
            assertThat(monitor.awaitTrue(() -> connected[0], soon())).isTrue();
            transport.close();
            assertThat(sender.join(soon())).isTrue();
            assertThat(outcome[0]).isInstanceOf(ClosedTransportException.class);
        }
    }

    @Test
    void whatIsNotHttpIsToldSo() throws Exception {
        try (ScriptedServer server = new ScriptedServer(connection -> {
                    connection.head();
                    connection.answer("220 mail.example.com ready\r\n250 what?\r\n");
                });
                SocketTransport transport = transport(server)) {
            assertThatThrownBy(() -> transport.send(patch(), soon())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aHostOfNoNameWasNeverConnectedTo() throws Exception {
        try (SocketTransport transport =
                transport(ConnectionInfo.builder("http://cluster.invalid:6443").build())) {
            assertThatThrownBy(() -> transport.send(patch(), soon()))
                    .isInstanceOf(ConnectException.class)
                    .hasCauseInstanceOf(UnknownHostException.class);
        }
    }

    /** A proxy that opens tunnels for Alice, whatever server they ask for, to the given one. */
    private void tunnel(ScriptedServer.Connection connection, int to) throws IOException {
        String head = connection.head();
        heads.add(head);
        if (!head.contains("Proxy-Authorization: " + AuthorizationHeader.basic("alice", "secret"))) {
            connection.answer("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), to)) {
            connection.answer("HTTP/1.1 200 Connection established\r\n\r\n");
            Thread back = Thread.startVirtualThread(() -> copy(server, connection.socket()));
            copy(connection.socket(), server);
            back.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either end has closed the tunnel.
            assert from.isClosed() || to.isClosed() : e;
        }
    }

    private HttpsServer https() throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(TlsContext.of(ConnectionInfo.builder("https://localhost")
                .certificatePath(file("server.crt"))
                .privateKeyPath(file("server.key"))
                .build())));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    private static String file(String name) throws Exception {
        return Path.of(ConnectionsTest.class.getResource("/tls/" + name).toURI())
                .toString();
    }

    @Test
    @Tag("G09")
    void tlsGoesThroughATunnelOfTheProxy() throws Exception {
        HttpsServer target = https();
        target.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(204, -1);
            }
        });
        int port = target.getAddress().getPort();
        try (ScriptedServer proxy = new ScriptedServer(connection -> tunnel(connection, port))) {
            ConnectionInfo.Builder info =
                    ConnectionInfo.builder("https://127.0.0.1:" + port).caPath(file("ca.crt"));
            String known = "http://alice:secret@127.0.0.1:" + proxy.port();
            try (SocketTransport transport = transport(info.proxyUrl(known).build())) {
                assertThat(transport.send(patch(), soon()).status()).isEqualTo(204);
            }
            assertThat(heads.getFirst()).startsWith("CONNECT 127.0.0.1:" + port + " HTTP/1.1\n");

            String unknown = "http://bob:hush@127.0.0.1:" + proxy.port();
            try (SocketTransport transport = transport(info.proxyUrl(unknown).build())) {
                assertThatThrownBy(() -> transport.send(patch(), soon()))
                        .isInstanceOf(IOException.class)
                        .hasMessage("the proxy 127.0.0.1:" + proxy.port() + " opens no tunnel to 127.0.0.1:" + port
                                + ": 407 Proxy Authentication Required");
            }
        } finally {
            target.stop(0);
        }
    }

    /** Who is told of the server alone looks in the wrong place. */
    @Test
    void aProxyThatCannotBeReachedIsNamed() throws IOException {
        String proxy;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            proxy = "127.0.0.1:" + gone.getLocalPort();
        }
        ConnectionInfo info = ConnectionInfo.builder("https://127.0.0.1:6443")
                .proxyUrl("http://alice:hush@" + proxy)
                .build();
        try (SocketTransport transport = transport(info)) {
            assertThatThrownBy(() -> transport.send(patch(), soon()))
                    .isInstanceOf(ConnectException.class)
                    .satisfies(failure -> assertThat(new ConnectionFailedException(
                                    "GET /version", info.server(), (ConnectException) failure))
                            .hasMessageContaining("cannot connect: the proxy " + proxy + " cannot be reached: ")
                            .hasMessageNotContaining("hush"));
        }
    }

    /** Such as one behind a firewall that drops what comes. */
    @Test
    void aProxyThatDoesNotAnswerIsNamed() throws IOException {
        List<Socket> queue = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(silent, queue);
            ConnectionInfo info = ConnectionInfo.builder("https://127.0.0.1:6443")
                    .proxyUrl("http://alice:hush@127.0.0.1:" + silent.getLocalPort())
                    .build();
            try (SocketTransport transport = transport(info)) {
                assertThatThrownBy(() -> transport.send(patch(), platform.after(Duration.ofSeconds(1))))
                        .isInstanceOf(RequestTimeoutException.class)
                        .hasMessage("no answer in time from the proxy 127.0.0.1:" + silent.getLocalPort());
            }
        } finally {
            for (Socket waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    @Tag("G07")
    void asksForTheServersNameThatIsExpectedUnlessItIsAnAddress() throws Exception {
        assertThat(askedFor("localhost")).containsExactly(new SNIHostName("localhost"));
        assertThat(askedFor("127.0.0.1")).isEmpty();
    }

    /** The names that the head of a handshake asks for, by which servers choose whose certificate to show. */
    private List<SNIServerName> askedFor(String tlsServerName) throws Exception {
        List<SNIServerName> asked = new CopyOnWriteArrayList<>();
        SSLContext context = TlsContext.of(ConnectionInfo.builder("https://localhost")
                .certificatePath(file("server.crt"))
                .privateKeyPath(file("server.key"))
                .build());
        try (ScriptedServer server = new ScriptedServer(connection -> {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(connection.socket(), null, true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher("localhost")));
            tls.setSSLParameters(parameters);
            tls.startHandshake();
            asked.addAll(((ExtendedSSLSession) tls.getSession()).getRequestedServerNames());
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(tls.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            while (line != null && !line.isEmpty()) {
                line = in.readLine();
            }
            tls.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        })) {
            ConnectionInfo info = ConnectionInfo.builder("https://127.0.0.1:" + server.port())
                    .caPath(file("ca.crt"))
                    .tlsServerName(tlsServerName)
                    .build();
            try (SocketTransport transport = transport(info)) {
                assertThat(transport.send(patch(), soon()).status()).isEqualTo(204);
            }
        }
        return asked;
    }

    @Test
    void aSilentStreamOverTlsGoesOnAfterTheReadersDeadline() throws Exception {
        HttpsServer server = https();
        boolean[] released = {false};
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write("half".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            try {
                monitor.awaitTrue(() -> released[0], soon());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            out.write("-line\n".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        ConnectionInfo info = ConnectionInfo.builder(
                        "https://127.0.0.1:" + server.getAddress().getPort())
                .caPath(file("ca.crt"))
                .build();
        try (SocketTransport transport = transport(info);
                ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon())) {
            assertThatThrownBy(() -> stream.nextLine(atOnce())).isInstanceOf(StreamIdleException.class);
            monitor.locked(() -> {
                released[0] = true;
            });
            assertThat(stream.nextLine(soon())).asString().isEqualTo("half-line");
            assertThat(stream.nextLine(soon())).isNull();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void addressesAreTakenApart() {
        assertThat(ServerAddress.of("https://k8s.example.com/clusters/a"))
                .isEqualTo(new ServerAddress(true, "k8s.example.com", 443, "k8s.example.com", "/clusters/a"));
        assertThat(ServerAddress.of("http://[::1]:8080"))
                .isEqualTo(new ServerAddress(false, "::1", 8080, "[::1]:8080", ""))
                .extracting(ServerAddress::hostAndPort)
                .isEqualTo("[::1]:8080");
        assertThatThrownBy(() -> ServerAddress.of("ftp://a")).hasMessageContaining("'ftp://a'");
        assertThat(HttpProxy.of(URI.create("http://proxy")).port()).isEqualTo(80);
    }
}
