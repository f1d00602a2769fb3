package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.cli.process.ExitCode;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that nobody can work with. The certificates are of an authority of the test's own: one has expired in 2020,
 * one is valid for a century.
 */
@Timeout(60)
class UnusableServerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    private Path folder;

    private static Path file(String name) throws Exception {
        return Path.of(UnusableServerTest.class.getResource("/tls/" + name).toURI());
    }

    private static KeyStore store(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file(name))) {
            store.load(stream, "x".toCharArray());
        }
        return store;
    }

    /** Shows this certificate, and trusts clients of the same authority. */
    private static HttpServer secureServer(String identity) throws Exception {
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store(identity), "x".toCharArray());
        var clients = KeyStore.getInstance("PKCS12");
        clients.load(null, null);
        clients.setCertificateEntry("authority", store(identity).getCertificateChain("1")[1]);
        var trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(clients);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer server = HttpsServer.create(ANY_PORT, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setWantClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        return answering(server, 401, "application/json", "{}");
    }

    private static HttpServer answering(HttpServer server, int status, String type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().add("Content-Type", type);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        return server;
    }

    private static String address(String scheme, HttpServer server) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    private CommandRun run(String server, String user) throws Exception {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                clusters: [{name: a, cluster: {server: "%s", certificate-authority: "%s"}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: c, context: {cluster: a, user: u}}]
                current-context: c
                """.formatted(server, file("ca.crt"), user));
        Path source = Files.writeString(folder.resolve("Example.java"), """
                class Example { @dev.kopf4j.OnCreate("kopfexamples") void fn() {} }
                """);
        var result = CommandRun.of("run", "-A", "--kubeconfig", kubeconfig.toString(), source.toString());
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).doesNotContain("\tat ");
        return result;
    }

    @Test
    void whatAnswersByHtmlIsNoApiServer() throws Exception {
        HttpServer server =
                answering(HttpServer.create(ANY_PORT, 0), 200, "text/html", "<html><body>Please log in.</body></html>");
        try {
            String address = address("http", server);
            assertThat(run(address, "").err())
                    .contains(address, "no JSON object, but 40 bytes of text/html", "no Kubernetes API server");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void certificateOfTheServerHasExpired() throws Exception {
        HttpServer server = secureServer("expired.p12");
        try {
            String address = address("https", server);
            assertThat(run(address, "token: abc").err())
                    .contains("The certificate of the Kubernetes API server at " + address + " has expired (NotAfter:")
                    .contains("2020", "Renew it");
        } finally {
            server.stop(0);
        }
    }

    @Test
    @Tag("G07")
    void certificateOfTheClientHasExpired() throws Exception {
        HttpServer server = secureServer("server.p12");
        try {
            String user =
                    "client-certificate: '" + file("expired.crt") + "', client-key: '" + file("expired.key") + "'";
            assertThat(run(address("https", server), user).err())
                    .contains(
                            "the client certificate of the login 'kubeconfig' (CN=expired) has expired at 2020-01-02T")
                    .contains("renew what has expired");
        } finally {
            server.stop(0);
        }
    }

    @Test
    @Tag("G13")
    void credentialsAreNotAccepted() throws Exception {
        HttpServer server = secureServer("server.p12");
        try {
            String address = address("https", server);
            assertThat(run(address, "token: abc").err())
                    .contains("that of the login 'kubeconfig' has just been rejected by " + address)
                    .contains("Log in again")
                    .doesNotContain("abc");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void nameIsNotThatOfTheServer() throws Exception {
        HttpServer server = secureServer("server.p12");
        try {
            String address = address("https", server).replace("127.0.0.1", "localhost");
            assertThat(run(address, "token: abc").err())
                    .contains("no secure connection to the Kubernetes API server at " + address)
                    .contains("certificate authority");
        } finally {
            server.stop(0);
        }
    }
}
