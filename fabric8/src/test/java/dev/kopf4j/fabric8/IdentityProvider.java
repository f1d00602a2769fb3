package dev.kopf4j.fabric8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** As much of an OpenID Connect provider as renews a token. The certificates are those of the core's own tests. */
final class IdentityProvider {
    private static final Path FILES = Path.of("../core/src/test/resources/tls").toAbsolutePath();

    private IdentityProvider() {}

    /**
     * Starts one.
     *
     * @param token what it gives to anybody
     * @param asked gets the form of each request for a token
     */
    static HttpsServer start(String token, Consumer<String> asked) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context()));
        server.createContext("/.well-known/openid-configuration", exchange -> {
            answer(exchange, "{\"token_endpoint\":\"" + url(server) + "/token\"}");
        });
        server.createContext("/token", exchange -> {
            asked.accept(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, "{\"id_token\":\"" + token + "\",\"refresh_token\":\"r2\"}");
        });
        server.start();
        return server;
    }

    private static SSLContext context() {
        return TlsContext.of(ConnectionInfo.builder("https://localhost")
                .caPath(FILES.resolve("ca.crt").toString())
                .certificatePath(FILES.resolve("server.crt").toString())
                .privateKeyPath(FILES.resolve("server.key").toString())
                .build());
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    static String url(HttpsServer server) {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Who has signed its certificate, as a kubeconfig has it. */
    static String authority() throws IOException {
        return encoded("ca.crt");
    }

    /** Somebody who has not. */
    static String otherAuthority() throws IOException {
        return encoded("ec-sec1.crt");
    }

    private static String encoded(String file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(FILES.resolve(file)));
    }
}
