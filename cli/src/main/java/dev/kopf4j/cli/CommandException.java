package dev.kopf4j.cli;

import dev.kopf4j.file.FileTrouble;
import java.nio.file.Path;

/** Ends a command with a message for people and an exit code. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    /** Options or files that cannot be used. */
    static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message);
    }

    /** Refuses a file that was given and cannot be read. */
    static void requireReadable(String what, Path file) {
        FileTrouble.ofUnreadable(file).ifPresent(trouble -> {
            throw usage("Cannot read the " + what + " " + file + ": " + trouble);
        });
    }

    /** Sources that are no operator. */
    static CommandException sources(String message) {
        return new CommandException(ExitCode.SOURCES, message);
    }
}
