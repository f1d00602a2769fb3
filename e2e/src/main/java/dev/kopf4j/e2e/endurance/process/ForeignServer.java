package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** A cluster that is there already; it is disturbed by commands that its owner gives, or not at all. */
public final class ForeignServer implements TrialServer {
    /**
     * How the server is disturbed: commands for {@code sh -c}.
     *
     * @param begin makes it silent, or ends it
     * @param end lets it go on, or starts it
     */
    public record Commands(String begin, String end) {}

    private final Path kubeconfig;
    private final Optional<Commands> freezing;
    private final Optional<Commands> dying;

    public ForeignServer(Path kubeconfig, Optional<Commands> freezing, Optional<Commands> dying) {
        this.kubeconfig = kubeconfig;
        this.freezing = freezing;
        this.dying = dying;
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public boolean canFreeze() {
        return freezing.isPresent();
    }

    @Override
    public boolean canDie() {
        return dying.isPresent();
    }

    @Override
    public void freeze() {
        run(freezing.orElseThrow().begin());
    }

    @Override
    public void thaw() {
        run(freezing.orElseThrow().end());
    }

    @Override
    public void kill() {
        run(dying.orElseThrow().begin());
    }

    @Override
    public void start() {
        run(dying.orElseThrow().end());
    }

    private static void run(String command) {
        try {
            int status = new ProcessBuilder("/bin/sh", "-c", command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("the command has failed with " + status + ": " + command);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the command cannot be run: " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public PatchCount patches() {
        return PatchCount.UNKNOWN;
    }

    @Override
    public void close() {}
}
