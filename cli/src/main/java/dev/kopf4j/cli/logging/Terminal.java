package dev.kopf4j.cli.logging;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds out whether stderr is a terminal that shows colours. */
public final class Terminal {
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /**
     * True if stderr is a terminal, and the environment does not switch colours off by <a
     * href="https://no-color.org">NO_COLOR</a> or {@code TERM=dumb}.
     */
    public static boolean hasColors(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && isTerminal();
    }

    /**
     * Java knows about stdin and stdout only. On Linux, the file system shows what stderr is; elsewhere stdin and
     * stdout decide.
     */
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.ofNullable(System.console())
                    .filter(Console::isTerminal)
                    .isPresent();
        }
    }
}
