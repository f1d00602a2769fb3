package dev.kopf4j.cli.process;

import dev.kopf4j.text.FileProblem;
import java.nio.file.Path;

/** Ends a command with a message and an exit code. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    /** Makes the exception for options or files that cannot be used. */
    public static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message);
    }

    /** Makes the exception for what cannot be done, where no option is wrong. */
    public static CommandException failure(String message) {
        return new CommandException(ExitCode.FAILURE, message);
    }

    /** Refuses a given file that cannot be read. */
    public static void requireReadable(String what, Path file) {
        FileProblem.whyUnreadable(file).ifPresent(trouble -> {
            throw usage("Cannot read the " + what + " " + file + ": " + trouble);
        });
    }

    /** Makes the exception for sources that are not an operator. */
    public static CommandException sources(String message) {
        return new CommandException(ExitCode.SOURCES, message);
    }
}
