package dev.kopf4j.cli.process;

/** The exit codes of the program. (The scripts that start it exit with 3 if they find no suitable JDK.) */
public final class ExitCode {
    /** The command is done, or was stopped gracefully. */
    public static final int OK = 0;
    /** The operator, the cluster or the command failed; of a check: there is no answer. */
    public static final int FAILURE = 1;
    /** Wrong options, or files or settings that cannot be used. */
    public static final int USAGE = 2;
    /** The sources do not compile, or have no correct handlers. */
    public static final int SOURCES = 4;
    /** Of plan, crd --check, doctor and rbac check: they have looked, and have found something. */
    public static final int FINDINGS = 5;

    private ExitCode() {}
}
