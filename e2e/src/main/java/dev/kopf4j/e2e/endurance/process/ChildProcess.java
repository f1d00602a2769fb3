package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that signals are sent to, and that ends with this one, however this one ends: a shell waits for it, and
 * kills it when its own input ends. Used by one thread at a time.
 */
public final class ChildProcess implements AutoCloseable {
    private static final String GUARD = """
            log=$1
            shift
            exec 3<&0
            "$@" </dev/null >>"$log" 2>&1 3<&- &
            child=$!
            echo $child
            (while read -r line; do :; done <&3; kill -KILL $child) >/dev/null 2>&1 &
            guard=$!
            wait $child
            status=$?
            kill $guard
            exit $status
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String title;
    private final Process shell;
    private final String pid;
    private boolean frozen;

    private ChildProcess(String title, Process shell, String pid) {
        this.title = title;
        this.shell = shell;
        this.pid = pid;
    }

    /**
     * Starts a process.
     *
     * @param title what messages call it
     * @param log what it writes goes to the end of this file
     */
    public static ChildProcess start(String title, Map<String, String> environment, Path log, List<String> command) {
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "sh", log.toString()));
        guarded.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(guarded).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            Process shell = builder.start();
            String pid = shell.inputReader(StandardCharsets.UTF_8).readLine();
            if (pid == null) {
                throw new IllegalStateException(title + " could not be started: " + command);
            }
            return new ChildProcess(title, shell, pid);
        } catch (IOException e) {
            throw new UncheckedIOException(title + " could not be started", e);
        }
    }

    /** The id of the process itself. */
    public String pid() {
        return pid;
    }

    public boolean isRunning() {
        return shell.isAlive();
    }

    public boolean isFrozen() {
        return frozen;
    }

    /** Stops it where it stands: SIGSTOP. */
    public void freeze() {
        send("STOP");
        frozen = true;
    }

    /** Lets it go on: SIGCONT. */
    public void thaw() {
        send("CONT");
        frozen = false;
    }

    /** Ends it where it stands: SIGKILL. */
    public void kill() {
        send("KILL");
        awaitExit();
    }

    /** Asks it to end: SIGTERM. Returns the exit code. */
    public int terminate() {
        send("TERM");
        return awaitExit();
    }

    private int awaitExit() {
        try {
            if (!shell.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(title + " has not ended within " + PATIENCE.toSeconds() + " s");
            }
            return shell.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + title, e);
        }
    }

    /** The shell has not ended, so the number belongs to nobody else. */
    private void send(String signal) {
        if (!shell.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + signal, pid)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("no signals can be sent to " + title, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it by force if it has not ended. */
    @Override
    public void close() {
        send("KILL");
        try {
            shell.getOutputStream().close();
            shell.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(title + " could not be ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
