package dev.kopf4j.cli;

/** What the program's end tells its caller. (3, no fitting JDK, is said by the scripts that start it.) */
final class ExitCode {
    /** Done, or stopped gracefully. */
    static final int OK = 0;
    /** The operator or the cluster failed. */
    static final int FAILURE = 1;
    /** Wrong options, or files that cannot be used. */
    static final int USAGE = 2;
    /** The sources do not compile, or have no (correct) handlers. */
    static final int SOURCES = 4;

    private ExitCode() {}
}
