package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.load.AnyServerTrust;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.process.ChildMain;
import dev.kopf4j.client.tls.CipherPreference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Reads all pages of a list, and does nothing with them: what the server needs to give them. */
public final class BareReaderProcess {
    private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

    private BareReaderProcess() {}

    /** Arguments: the server's URL and token. Answers each line when all was read, with the milliseconds. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SSLContext trusting = AnyServerTrust.context();
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting)
                .sslParameters(CipherPreference.ofThisJvm().applied(trusting))
                .build()) {
            read(http, arguments);
            long started = ManagementFactory.getRuntimeMXBean().getStartTime();
            ChildMain.serve(Long.toString(System.currentTimeMillis() - started), question -> {
                long begin = System.nanoTime();
                read(http, arguments);
                return Long.toString((System.nanoTime() - begin) / 1_000_000);
            });
            http.shutdownNow();
        }
    }

    private static void read(HttpClient http, String[] arguments) throws InterruptedException {
        String next = "";
        do {
            String query = "?limit=" + LargeObjects.PAGE + (next.isEmpty() ? "" : "&continue=" + next);
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0] + SampleObjects.PATH + query))
                    .header("Authorization", "Bearer " + arguments[1])
                    .build();
            try {
                byte[] page = http.send(request, HttpResponse.BodyHandlers.ofByteArray())
                        .body();
                next = next(page);
            } catch (IOException e) {
                throw new UncheckedIOException("the list has failed", e);
            }
        } while (!next.isEmpty());
    }

    /** The list's own metadata are at its begin or at its end. */
    private static String next(byte[] page) {
        int half = Math.min(page.length, 1000);
        String ends = new String(page, 0, half, StandardCharsets.UTF_8)
                + new String(page, page.length - half, half, StandardCharsets.UTF_8);
        Matcher matcher = CONTINUE.matcher(ends);
        return matcher.find() ? matcher.group(1) : "";
    }
}
