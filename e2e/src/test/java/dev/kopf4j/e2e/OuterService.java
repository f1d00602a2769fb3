package dev.kopf4j.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * A service outside of the cluster, in a process of its own: {@code /make/THING/KEY} makes a thing once for a key,
 * {@code /order/THING} another one each time, {@code /find/THING} finds one, {@code /drop/ID} removes it, and
 * {@code /log} tells what was asked for.
 */
public final class OuterService {
    private final List<String> log = new ArrayList<>();
    private final Map<String, String> byKey = new LinkedHashMap<>();
    private final Map<String, String> things = new LinkedHashMap<>();

    private OuterService() {}

    /** Serves until it is killed; the first line of its output is its address. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        OuterService service = new OuterService();
        server.createContext("/", service::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        System.out.println("URL=http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Starts it. */
    static RunningProgram start(Path folder) {
        return RunningProgram.start(
                folder,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        LoggedHandlers.folder().toString(),
                        OuterService.class.getName()));
    }

    /** Asks it. */
    static String ask(String url, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url + path)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = answer(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private synchronized String answer(String path) {
        String[] parts = path.substring(1).split("/", -1);
        if (parts[0].equals("log")) {
            return String.join("\n", log);
        }
        log.add(parts[0] + " " + parts[1]);
        return switch (parts[0]) {
            case "make" -> byKey.computeIfAbsent(parts[2], key -> add(parts[1]));
            case "order" -> add(parts[1]);
            case "find" ->
                things.entrySet().stream()
                        .filter(each -> each.getValue().equals(parts[1]))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse("");
            case "drop" -> {
                things.remove(parts[1]);
                yield "";
            }
            case "things" -> String.join("\n", things.keySet());
            default -> throw new IllegalArgumentException(path);
        };
    }

    private String add(String thing) {
        String id = thing + "." + things.size() + "." + log.size();
        things.put(id, thing);
        return id;
    }
}
