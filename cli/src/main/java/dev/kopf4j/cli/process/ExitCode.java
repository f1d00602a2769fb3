package dev.kopf4j.cli.process;

/** What the program's end tells its caller. (3, no fitting JDK, is said by the scripts that start it.) */
public final class ExitCode {
    /** Done, or stopped gracefully. */
    public static final int OK = 0;
    /** The operator or the cluster failed. */
    public static final int FAILURE = 1;
    /** Wrong options, or files that cannot be used. */
    public static final int USAGE = 2;
    /** The sources do not compile, or have no (correct) handlers. */
    public static final int SOURCES = 4;

    private ExitCode() {}
}
