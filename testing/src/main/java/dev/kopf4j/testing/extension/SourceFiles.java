package dev.kopf4j.testing.extension;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.RunArguments;

/** Makes operators of source files; loaded only when a test has some, as it needs the module of the command line. */
final class SourceFiles {
    private SourceFiles() {}

    static OperatorBuilder operator(String... arguments) {
        return RunArguments.operator(arguments);
    }
}
