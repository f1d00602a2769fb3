package dev.kopf4j.benchmarks.process;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.webhook.WebhookCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's own HTTPS server, which reads each request and answers the same each time. */
public final class BareHttpsProcess {
    private static final byte[] ANSWER =
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\"1\",\"allowed\":true}}"
                    .getBytes(StandardCharsets.UTF_8);

    private BareHttpsProcess() {}

    /** No arguments; the first line is its address. */
    public static void main(String[] arguments) throws IOException, InterruptedException, GeneralSecurityException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        HttpsServer server = HttpsServer.create(any, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange) {
                    exchange.getRequestBody().readAllBytes();
                    exchange.getResponseHeaders().set("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, ANSWER.length);
                    exchange.getResponseBody().write(ANSWER);
                }
            });
            server.start();
            ChildMain.serve(
                    "https://127.0.0.1:" + server.getAddress().getPort() + "/check",
                    question -> "unknown: " + question);
            server.stop(0);
        }
    }

    private static SSLContext tls() throws GeneralSecurityException, IOException {
        WebhookCertificate certificate = WebhookCertificate.build(List.of("127.0.0.1"), null, Instant.now());
        return ServerTls.context(
                PemReader.certificates("certificate", certificate.certificatePem()),
                PemReader.privateKey("key", certificate.keyPem(), null),
                List.of());
    }
}
