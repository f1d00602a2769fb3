package dev.kopf4j.devcluster.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dev cluster in a process of its own: a Kubernetes API server for tests, whose kubeconfig any client takes. It ends
 * by {@link #close}, and also when the process that has started it ends in any way. Thread-safe.
 *
 * <pre>{@code
 * try (DevClusterProcess cluster = DevClusterProcess.start("--workloads")) {
 *     // cluster.kubeconfig(), cluster.url(), cluster.token()
 * }
 * }</pre>
 */
public final class DevClusterProcess implements AutoCloseable {
    private static final String READY = "export KUBECONFIG=";
    private static final int STOP_SECONDS = 10;
    private static final int KEPT_LINES = 30;

    private final Path kubeconfig;
    private final String text;
    private final @Nullable Started started;

    /**
     * A process that this one has started.
     *
     * @param folder what is deleted at the end
     */
    private record Started(Process process, Path folder) {}

    private DevClusterProcess(Path kubeconfig, @Nullable Started started) throws IOException {
        this.kubeconfig = kubeconfig.toAbsolutePath();
        this.text = Files.readString(kubeconfig);
        this.started = started;
    }

    /**
     * Starts what is found, with these options of {@code kopf4j devcluster}.
     *
     * @throws IllegalStateException if there is no dev cluster, or it does not start; the message says why
     */
    public static DevClusterProcess start(String... arguments) {
        return start(LaunchOptions.defaults().arguments(arguments));
    }

    /**
     * Starts a cluster, and waits until it serves; or uses one that runs, if one is named (see {@link LaunchOptions}).
     *
     * @throws IllegalStateException if there is no dev cluster, or it does not start; the message says why
     */
    public static DevClusterProcess start(LaunchOptions options) {
        ProgramSearch search = ProgramSearch.ofThisProcess();
        Optional<Path> running = search.running();
        try {
            return running.isPresent() ? attach(running.get()) : launch(search.command(options.program()), options);
        } catch (IOException e) {
            throw new UncheckedIOException("the dev cluster cannot be started: " + e.getMessage(), e);
        }
    }

    /** Uses a cluster that runs, by its kubeconfig; {@link #close} lets it run on. */
    public static DevClusterProcess attach(Path kubeconfig) {
        try {
            return new DevClusterProcess(kubeconfig, null);
        } catch (IOException e) {
            throw new UncheckedIOException("the kubeconfig of the running cluster cannot be read: " + kubeconfig, e);
        }
    }

    private static DevClusterProcess launch(List<String> program, LaunchOptions options) throws IOException {
        Path folder = Files.createTempDirectory("kopf4j-devcluster");
        Path kubeconfig = folder.resolve("kubeconfig");
        List<String> command = new ArrayList<>(program);
        // Its input is a pipe from here: when this process ends, however, the input does, and the cluster with it.
        command.addAll(List.of("--stop-at-eof", "--kubeconfig", kubeconfig.toString()));
        command.addAll(options.arguments());
        Process process = new ProcessBuilder(command).start();
        Started started = new Started(process, folder);
        try {
            awaitReady(process, command, options);
            return new DevClusterProcess(kubeconfig, started);
        } catch (IOException | RuntimeException e) {
            stop(started);
            throw e;
        }
    }

    private static void awaitReady(Process process, List<String> command, LaunchOptions options) {
        Deque<String> told = new ArrayDeque<>();
        CompletableFuture<Boolean> ready = new CompletableFuture<>();
        read(process.getErrorStream(), line -> keep(told, line));
        read(process.getInputStream(), line -> {
            keep(told, line);
            if (line.startsWith(READY)) {
                ready.complete(true);
            }
        });
        try {
            CompletableFuture.anyOf(ready, process.onExit())
                    .get(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!ready.isDone()) {
                throw new IllegalStateException("the dev cluster ended with code " + process.exitValue()
                        + " at its start: " + String.join(" ", command) + lines(told));
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the dev cluster was not ready within " + options.timeout().toSeconds() + " s: "
                            + String.join(" ", command) + lines(told),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the dev cluster was starting", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the dev cluster cannot be waited for", e.getCause());
        }
    }

    private static void keep(Deque<String> told, String line) {
        synchronized (told) {
            if (told.size() == KEPT_LINES) {
                told.removeFirst();
            }
            told.addLast(line);
        }
    }

    private static String lines(Deque<String> told) {
        synchronized (told) {
            return told.isEmpty() ? "" : "\n" + String.join("\n", told);
        }
    }

    /** Reads on to the end, so that the process is never held up by what it prints. */
    private static void read(InputStream stream, java.util.function.Consumer<String> taker) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader reader =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        reader.lines().forEach(taker);
                    } catch (IOException | UncheckedIOException e) {
                        taker.accept("(its output ends here: " + e.getMessage() + ")");
                    }
                },
                "kopf4j-devcluster-output");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * The kubeconfig of the administrator, as a file; it is deleted by {@link #close} if the cluster was started here.
     */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** The kubeconfig of the administrator, as YAML. */
    public String kubeconfigText() {
        return text;
    }

    /** The URL of the cluster, without a trailing slash. */
    public String url() {
        return value("server");
    }

    /** The bearer token of the administrator. */
    public String token() {
        return value("token");
    }

    /** The certificate of the cluster's authority, as PEM in base64, as kubeconfigs have it. */
    public String certificateAuthorityData() {
        return value("certificate-authority-data");
    }

    private String value(String key) {
        Matcher found = Pattern.compile("(?m)^\\W*" + key + ": *\"?([^\"\\s]+)").matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("the kubeconfig " + kubeconfig + " has no " + key);
        }
        return found.group(1);
    }

    /** True as long as the process runs; true for one that was started by others. */
    public boolean isRunning() {
        return started == null || started.process().isAlive();
    }

    /** Stops the cluster, and waits for its end; one that was started by others runs on. */
    @Override
    public void close() {
        if (started != null) {
            stop(started);
        }
    }

    private static void stop(Started started) {
        Process process = started.process();
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try {
            Files.deleteIfExists(started.folder().resolve("kubeconfig"));
            Files.deleteIfExists(started.folder());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + started.folder(), e);
        }
    }
}
