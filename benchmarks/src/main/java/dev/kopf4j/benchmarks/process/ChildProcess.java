package dev.kopf4j.benchmarks.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A child JVM that answers each line with a line. Used by one thread at a time. */
public final class ChildProcess implements AutoCloseable {
    /** The question for the CPU time used so far, in milliseconds. */
    static final String CPU = "cpu";

    /** The question for the bytes allocated so far. */
    static final String ALLOCATED = "allocated";

    /** The question for the threads that are alive. */
    static final String THREADS = "threads";

    /** What takes longer hangs. A start took more than a minute beside eight builds on two cores. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Long enough to write an AOT cache on a busy machine. */
    private static final int END_WITHIN_SECONDS = 60;

    private static final String GONE = "\0";

    private final String title;
    private final Process process;
    private final boolean answering;
    private final BufferedWriter input;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

    private ChildProcess(String title, Process process, boolean answering) {
        this.title = title;
        this.process = process;
        this.answering = answering;
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread.ofVirtual().name("output of " + title).start(this::readOutput);
    }

    /** Starts a main class of this program, with the same class path and error stream. */
    public static ChildProcess start(Class<?> mainClass, List<String> jvmOptions, String... arguments) {
        List<String> program = List.of("-cp", System.getProperty("java.class.path"), mainClass.getName());
        return start(mainClass.getSimpleName(), jvmOptions, program, arguments);
    }

    /** Starts a jar, with the same error stream. */
    public static ChildProcess start(Path jar, List<String> jvmOptions, String... arguments) {
        return start(jar.getFileName().toString(), jvmOptions, List.of("-jar", jar.toString()), arguments);
    }

    /** Starts a program that answers nothing, with further variables in its environment, and the same error stream. */
    public static ChildProcess start(String title, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(title, builder.start(), false);
        } catch (IOException e) {
            throw new UncheckedIOException(title + " could not be started", e);
        }
    }

    private static ChildProcess start(
            String title, List<String> jvmOptions, List<String> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(program);
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putIfAbsent("MALLOC_ARENA_MAX", "1"); // as the command line tool
            return new ChildProcess(title, builder.start(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(title + " could not be started", e);
        }
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines()
                    .filter(line -> line.startsWith(ChildMain.MARK))
                    .map(line -> line.substring(ChildMain.MARK.length()))
                    .forEach(output::add);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("the output of " + title + " has broken off: " + e.getMessage());
        } finally {
            output.add(GONE);
        }
    }

    /** The next line that the process prints. */
    public String line() {
        try {
            String line = output.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new IllegalStateException(title + " has said nothing for " + PATIENCE.toSeconds() + " s");
            }
            if (line.equals(GONE)) {
                throw new IllegalStateException(title + " has ended unexpectedly; its errors are above");
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + title, e);
        }
    }

    /** Sends a line, and returns the answer. */
    public String ask(String question) {
        try {
            input.write(question);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(title + " does not listen any more", e);
        }
        return line();
    }

    /** The CPU time that the process has used so far. */
    public Duration cpu() {
        if (!answering) {
            return process.info()
                    .totalCpuDuration()
                    .orElseThrow(() -> new IllegalStateException("the system does not tell the CPU time of " + title));
        }
        return Duration.ofMillis(Long.parseLong(ask(CPU)));
    }

    /** How many bytes its threads have allocated so far; 0 if it does not tell. */
    public long allocated() {
        return !answering ? 0 : Long.parseLong(ask(ALLOCATED));
    }

    /** Its threads that are alive. */
    public ThreadCount threads() {
        return ThreadCount.parse(ask(THREADS));
    }

    /** How many sockets it has open; -1 if the system does not know. */
    public int sockets() {
        return OpenSockets.of(process.pid());
    }

    /** Its resident memory. */
    public ProcessMemory memory() {
        return ProcessMemory.of(process.pid());
    }

    /** Ends the process: by the end of its input, or else by force. */
    @Override
    public void close() {
        try {
            input.close();
            if (!process.waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                System.err.println(title + " did not end by itself within " + END_WITHIN_SECONDS + " s, and is killed");
            }
        } catch (IOException e) {
            System.err.println(title + " was gone already: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
