package dev.kopf4j.testing.extension;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.RunArguments;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The source files that a test runs; loaded only when a test has some, as it needs the module of the command line.
 * Immutable.
 *
 * @param arguments with the files, which are compiled
 */
record SourceFiles(RunArguments arguments) {
    /**
     * Compiles them.
     *
     * @param arguments of {@code kopf4j run}
     */
    static SourceFiles compile(List<String> arguments) {
        try {
            return new SourceFiles(RunArguments.parse(arguments.toArray(String[]::new)));
        } catch (NoClassDefFoundError e) {
            throw new ExtensionConfigurationException(
                    "run = ... needs the module kopf4j-cli among the test's dependencies", e);
        }
    }

    OperatorBuilder operator() {
        return arguments.operator();
    }

    /** The definitions of the records among them, as YAML. */
    String definitions() {
        return arguments.definitions();
    }
}
