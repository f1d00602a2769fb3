package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The program in a JVM of its own, with its output line by line: for what concerns signals and exit codes. */
final class ProgramProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final long SIGINT_MASK = 1 << 1;

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private ProgramProcess(Process process) {
        this.process = process;
        pump(process.inputReader(StandardCharsets.UTF_8), out);
        pump(process.errorReader(StandardCharsets.UTF_8), err);
    }

    static ProgramProcess start(Path folder, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:CICompilerCount=2",
                "-XX:SurvivorRatio=3",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProgramProcess(
                new ProcessBuilder(command).directory(folder.toFile()).start());
    }

    private static void pump(BufferedReader from, BlockingQueue<String> to) {
        Thread.ofVirtual().start(() -> from.lines().forEach(to::add));
    }

    /** The first line on stdout that starts so. */
    String awaitOut(String start) throws InterruptedException {
        return await(out, start);
    }

    /** The first line on stderr that contains this. */
    String awaitErr(String part) throws InterruptedException {
        return await(err, part);
    }

    /** All lines that were waited for, or came before one of those. */
    List<String> seen() {
        return List.copyOf(seen);
    }

    /** Waits for a line on stderr with each of these, in any order. */
    void awaitErrs(String... parts) throws InterruptedException {
        var missing = new ArrayList<>(List.of(parts));
        while (!missing.isEmpty()) {
            String line = err.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(line).as("%s after %s", missing, seen).isNotNull();
            seen.add(line);
            missing.removeIf(line::contains);
        }
    }

    private String await(BlockingQueue<String> lines, String part) throws InterruptedException {
        for (String line = ""; line != null; line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            seen.add(line);
            if (line.contains(part)) {
                return line;
            }
        }
        return fail("The program did not print '" + part + "', but:\n" + String.join("\n", seen) + "\nand on stderr:\n"
                + String.join("\n", err));
    }

    /** Sends a signal, such as {@code INT}. Skips the calling test, loudly, where programs are started deaf to that. */
    void signal(String name) throws IOException, InterruptedException {
        if (name.equals("INT") && ignoresInterrupts()) {
            String message = "SKIPPED: SIGINT is ignored here, as in what a shell runs in the background without job"
                    + " control; run the tests in the foreground to try it";
            System.err.println(message);
            Assumptions.abort(message);
        }
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
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

    int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("the program's end; it said %s", err)
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
