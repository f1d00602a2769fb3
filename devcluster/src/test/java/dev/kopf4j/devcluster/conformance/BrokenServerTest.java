package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.http.HttpFrontend;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers that are wrong on purpose: the replay must notice. With {@code -Dconformance.kit=FOLDER} the kit's own
 * scripts judge the same servers over HTTP, and must come to the same verdicts.
 */
class BrokenServerTest {
    private static final String TOKEN = "replay";

    @TempDir
    private Path folder;

    /** What is wrong, and a trace that has to show it. */
    @SuppressWarnings("ImmutableEnumChecker") // the wrappers have no state
    enum Wrong {
        GENERATION_STANDS_STILL(
                "080-generation-with-status-subresource", text("\"generation\":[0-9]+", "\"generation\":1")),
        CREATED_IS_OK("050-crud-custom-object", status(201, 200)),
        CONFLICTS_ARE_BAD_REQUESTS("067-not-found-exists-conflict", text("\"code\":409", "\"code\":400")),
        NO_MANAGED_FIELDS("127-managed-fields", text("\"managedFields\":\\[", "\"managedFieldsX\":[")),
        NO_WARNINGS("040-field-validation", server -> request -> {
            ApiResponse response = server.apply(request);
            return new ApiResponse(response.status(), response.contentType(), List.of(), response.body());
        }),
        FINALIZERS_ARE_FORGOTTEN("140-finalizers", text("\"finalizers\":\\[[^\\]]*\\]", "\"finalizers\":[]")),
        DELETED_LOOKS_MODIFIED("188-watch-deleted-event", events("\"type\":\"DELETED\"", "\"type\":\"MODIFIED\"")),
        NO_BOOKMARKS("191-watch-bookmarks", events("\\{\"type\":\"BOOKMARK\".*\n", "")),
        SELECTORS_ARE_IGNORED("160-list-label-selectors", parameter("labelSelector")),
        LIMITS_ARE_IGNORED("163-list-limit-continue", parameter("limit")),
        DRY_RUNS_ARE_REAL("200-dry-run", parameter("dryRun")),
        PLAIN_TEXT("001-health-and-version", server -> request -> {
            ApiResponse response = server.apply(request);
            return new ApiResponse(response.status(), "text/plain", response.headers(), response.body());
        });

        private final String trace;
        private final UnaryOperator<Function<ApiRequest, ApiResponse>> wrapper;

        Wrong(String trace, UnaryOperator<Function<ApiRequest, ApiResponse>> wrapper) {
            this.trace = trace;
            this.wrapper = wrapper;
        }
    }

    private static UnaryOperator<Function<ApiRequest, ApiResponse>> text(String pattern, String replacement) {
        return server -> request -> {
            ApiResponse response = server.apply(request);
            return switch (response.body()) {
                case ApiResponse.Whole(byte[] bytes) -> with(response, replaced(bytes, pattern, replacement));
                case ApiResponse.Pieces(Iterable<byte[]> pieces) -> {
                    java.io.ByteArrayOutputStream whole = new java.io.ByteArrayOutputStream();
                    pieces.forEach(whole::writeBytes);
                    yield with(response, replaced(whole.toByteArray(), pattern, replacement));
                }
                case ApiResponse.Events _, ApiResponse.Broken _ -> response;
            };
        };
    }

    private static ApiResponse with(ApiResponse response, byte[] body) {
        return new ApiResponse(
                response.status(), response.contentType(), response.headers(), new ApiResponse.Whole(body));
    }

    private static byte[] replaced(byte[] bytes, String pattern, String replacement) {
        return new String(bytes, StandardCharsets.UTF_8)
                .replaceAll(pattern, replacement)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static UnaryOperator<Function<ApiRequest, ApiResponse>> status(int from, int to) {
        return server -> request -> {
            ApiResponse response = server.apply(request);
            return response.status() != from
                    ? response
                    : new ApiResponse(to, response.contentType(), response.headers(), response.body());
        };
    }

    private static UnaryOperator<Function<ApiRequest, ApiResponse>> parameter(String ignored) {
        return server -> request -> {
            var query = new java.util.LinkedHashMap<>(request.query());
            query.remove(ignored);
            return server.apply(new ApiRequest(
                    request.method(), request.path(), query, request.headers(), request.body(), request.identity()));
        };
    }

    private static UnaryOperator<Function<ApiRequest, ApiResponse>> events(String pattern, String replacement) {
        return server -> request -> {
            ApiResponse response = server.apply(request);
            return response.body() instanceof ApiResponse.Events(WatchStream stream)
                    ? new ApiResponse(
                            response.status(),
                            response.contentType(),
                            response.headers(),
                            new ApiResponse.Events(new Altered(stream, pattern, replacement)))
                    : response;
        };
    }

    private record Altered(WatchStream inner, String pattern, String replacement) implements WatchStream {
        @Override
        public void onSignal(Runnable signal) {
            inner.onSignal(signal);
        }

        @Override
        public Optional<byte[]> take() {
            Optional<byte[]> lines = inner.take().map(each -> replaced(each, pattern, replacement));
            while (lines.isPresent() && lines.get().length == 0) {
                lines = inner.take().map(each -> replaced(each, pattern, replacement));
            }
            return lines;
        }

        @Override
        public boolean ended() {
            return inner.ended();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private static List<Path> traces() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(BrokenServerTest.class.getResource("/conformance/traces"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static String name(Path trace) {
        return trace.getFileName().toString().replace(".json", "");
    }

    private static List<String> failing(Wrong wrong) throws IOException, URISyntaxException {
        return failing(wrong, traces());
    }

    private static List<String> failing(Wrong wrong, List<Path> traces) throws IOException {
        List<String> failing = new ArrayList<>();
        for (Path trace : traces) {
            try {
                new Replay(Json.parse(Files.readAllBytes(trace)), false, wrong.wrapper).run();
            } catch (StepFailed e) {
                failing.add(name(trace));
            }
        }
        return failing;
    }

    @ParameterizedTest
    @EnumSource
    void isNoticedByTheReplay(Wrong wrong) throws IOException, URISyntaxException {
        List<Path> trace =
                traces().stream().filter(each -> name(each).equals(wrong.trace)).toList();
        assertThat(failing(wrong, trace)).containsExactly(wrong.trace);
    }

    /** A quarter of an hour in all: each trace meets a server of its own, as in the replay. */
    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "conformance.kit", matches = ".+")
    void isNoticedByTheScriptsInTheSameTraces(Wrong wrong) throws Exception {
        List<Future<Boolean>> verdicts = new ArrayList<>();
        List<String> failing = new ArrayList<>();
        List<Path> traces = traces();
        try (ExecutorService scripts = Executors.newFixedThreadPool(2)) {
            for (Path trace : traces) {
                verdicts.add(scripts.submit(() -> failsInTheScript(wrong, trace)));
            }
            for (int index = 0; index < traces.size(); index++) {
                if (verdicts.get(index).get()) {
                    failing.add(name(traces.get(index)));
                }
            }
        }
        assertThat(failing).contains(wrong.trace).containsExactlyElementsOf(failing(wrong));
    }

    private boolean failsInTheScript(Wrong wrong, Path trace) throws IOException, InterruptedException {
        Options options = Options.defaults().rbac(true);
        try (ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
                ApiServer server = new ApiServer(options, new ExecutorTasks(executor), TOKEN);
                HttpFrontend frontend =
                        HttpFrontend.bind(InetAddress.getLoopbackAddress(), 0, Optional.empty(), line -> {})) {
            frontend.start(wrong.wrapper.apply(server::handle));
            try {
                return !verdict(trace, "http://127.0.0.1:" + frontend.port());
            } finally {
                executor.shutdownNow();
            }
        }
    }

    /** Whether a trace passes, says the script. */
    private boolean verdict(Path trace, String server) throws IOException, InterruptedException {
        Path output = folder.resolve(name(trace) + ".txt");
        Path script = Path.of(System.getProperty("conformance.kit"), "replay.py");
        Process process = new ProcessBuilder(
                        "python3", script.toString(), "--server", server, "--token", TOKEN, trace.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("no end of " + trace + ": " + Files.readString(output));
        }
        return switch (Files.readAllLines(output).getLast()) {
            case "1 passed, 0 failed" -> true;
            case "0 passed, 1 failed" -> false;
            case String _ -> throw new AssertionError("no verdict on " + trace + ": " + Files.readString(output));
        };
    }
}
