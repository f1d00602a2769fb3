package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.AnyServerTrust;
import dev.kopf4j.client.tls.CipherPreference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's client. */
final class JdkLoopClient implements LoopClient {
    private final String server;
    private final String token;
    private final HttpClient http;

    JdkLoopClient(String server, String token) {
        this.server = server;
        this.token = token;
        SSLContext trusting = AnyServerTrust.context();
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting)
                .sslParameters(CipherPreference.ofThisJvm().applied(trusting))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
    }

    @Override
    public byte[] get(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), BodyHandlers.ofByteArray()).body();
    }

    @Override
    public Lines watch(String path) throws IOException, InterruptedException {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(
                        http.send(request(path).build(), BodyHandlers.ofInputStream())
                                .body(),
                        StandardCharsets.UTF_8),
                65_536);
        return () -> {
            String line = lines.readLine();
            return line == null ? null : line.getBytes(StandardCharsets.UTF_8);
        };
    }

    @Override
    public int patch(String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, BodyHandlers.ofByteArray()).statusCode();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
