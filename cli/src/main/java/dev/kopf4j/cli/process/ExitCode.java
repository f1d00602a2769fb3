package dev.kopf4j.cli.process;

/** The exit codes of the program. (The scripts that start it exit with 3 if they find no suitable JDK.) */
public final class ExitCode {
    /** The command is done, or was stopped gracefully. */
    public static final int OK = 0;
    /** The operator or the cluster failed. */
    public static final int FAILURE = 1;
    /** Wrong options, or files or settings that cannot be used. */
    public static final int USAGE = 2;
    /** Of a plan alone: something would change; its wrong usage is 1. */
    public static final int CHANGES = 2;
    /** The sources do not compile, or have no correct handlers. */
    public static final int SOURCES = 4;

    private ExitCode() {}
}
