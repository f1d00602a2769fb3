package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;

/** A process whose output is read while it runs. Closing it stops it, gracefully if it can. */
final class RunningProgram implements AutoCloseable {
    private static final long SIGINT_MASK = 1 << 1;

    private final List<String> command;
    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;
    private int next;

    private RunningProgram(List<String> command, Process process) {
        this.command = command;
        this.process = process;
        this.readers = List.of(reader(process.getInputStream(), output), reader(process.getErrorStream(), errors));
    }

    static RunningProgram start(Path folder, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new RunningProgram(List.copyOf(command), process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread reader(InputStream stream, List<String> lines) {
        return Thread.ofVirtual().start(() -> {
            try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("(reading the output has failed: " + e + ")");
            }
        });
    }

    /** What it has written to stdout until now. */
    String output() {
        return String.join("\n", output);
    }

    /** What it has written to stderr until now: its logs. */
    String errors() {
        return String.join("\n", errors);
    }

    /** Waits for a line with this text on stderr. */
    String awaitLog(String text, Duration patience) {
        return awaitLine(errors, "a log line with '" + text + "'", line -> line.contains(text), patience);
    }

    /** Waits for a line with this text on stderr that comes after all those that this has returned. */
    String awaitNextLog(String text, Duration patience) {
        int from = next;
        awaitLine(
                errors,
                "a further log line with '" + text + "'",
                _ -> next(from, text).isPresent(),
                patience);
        next = next(from, text).orElseThrow() + 1;
        return errors.get(next - 1);
    }

    private OptionalInt next(int from, String text) {
        return IntStream.range(from, errors.size())
                .filter(line -> errors.get(line).contains(text))
                .findFirst();
    }

    /** Waits for a line that begins with this text on stdout, and returns the rest of it. */
    String awaitOutput(String prefix, Duration patience) {
        return awaitLine(output, "an output line '" + prefix + "...'", line -> line.startsWith(prefix), patience)
                .substring(prefix.length());
    }

    /** How many lines on stderr have this text until now. */
    long logged(String text) {
        return errors.stream().filter(line -> line.contains(text)).count();
    }

    private String awaitLine(List<String> lines, String what, Predicate<String> test, Duration patience) {
        try {
            await().atMost(patience)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !process.isAlive() || lines.stream().anyMatch(test));
            readIfEnded();
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no " + what + " within " + patience + ": " + this, e);
        }
        return lines.stream()
                .filter(test)
                .findFirst()
                .orElseThrow(() -> new AssertionError("ended without " + what + ": " + this));
    }

    /** Waits until the process ends by itself, and returns its exit code. */
    int awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + patience + ": " + this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + command, e);
        }
        readIfEnded();
        return process.exitValue();
    }

    private void readIfEnded() {
        if (process.isAlive()) {
            return;
        }
        try {
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends SIGTERM; what the program says then can still be read. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends a signal, such as {@code INT}. Skips the calling test, loudly, where programs are started deaf to that. */
    void signal(String name) throws IOException, InterruptedException {
        if (name.equals("INT") && ignoresInterrupts()) {
            String message = "SKIPPED: SIGINT is ignored here, as in what a shell runs in the background without job"
                    + " control; run the tests in the foreground to try it";
            System.err.println(message);
            Assumptions.abort(message);
        }
        assertThat(kill(name)).isZero();
    }

    private int kill(String name) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /**
     * Sends a signal until the process ends, and returns its exit code: within a second of the first, it is no second
     * one. The process may obey only a moment later, and be gone before the next signal.
     */
    int insist(String name) throws IOException, InterruptedException {
        signal(name);
        long end = System.nanoTime() + Kopf4j.PATIENCE.toNanos();
        while (!process.waitFor(1, TimeUnit.SECONDS) && System.nanoTime() < end) {
            kill(name);
        }
        return awaitExit(Duration.ofSeconds(1));
    }

    // The JVM leaves SIGINT ignored if it was so at its start.
    private boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & SIGINT_MASK) != 0);
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Sends SIGKILL, and waits for the end. */
    void kill() {
        process.destroyForcibly();
        awaitExit(Kopf4j.PATIENCE);
    }

    @Override
    public void close() {
        try {
            terminate();
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return String.join(" ", command)
                + (process.isAlive() ? " (running)" : " (exit code " + process.exitValue() + ")") + "\n--- stdout\n"
                + output() + "\n--- stderr\n" + errors();
    }
}
