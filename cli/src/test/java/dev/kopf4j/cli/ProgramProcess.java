package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The program in a JVM of its own, with its output line by line: for what concerns signals and exit codes. */
final class ProgramProcess implements AutoCloseable {
    /** What takes longer hangs. A start takes 4 s of a processor; beside eight builds on two cores, a minute. */
    private static final long PATIENCE_SECONDS = 300;

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

    private String await(BlockingQueue<String> lines, String part) throws InterruptedException {
        for (String line = ""; line != null; line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            seen.add(line);
            if (line.contains(part)) {
                return line;
            }
        }
        return fail("The program did not print '" + part + "', but:\n" + String.join("\n", seen) + "\nand on stdout:\n"
                + String.join("\n", out) + "\nand on stderr:\n" + String.join("\n", err));
    }

    /** Sends a signal, such as {@code TERM}. */
    void signal(String name) throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
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
