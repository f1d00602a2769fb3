package dev.kopf4j.cli;

import dev.kopf4j.cli.compile.SourceCompiler;
import dev.kopf4j.cli.logging.LogFormat;
import dev.kopf4j.cli.logging.LogSettings;
import dev.kopf4j.cli.logging.Logs;
import dev.kopf4j.cli.logging.Verbosity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code kopf4j warm-up}: goes once through what most runs do, so that the JDK can store the classes used on the way.
 * The script {@code bin/kopf4j} runs it to make the start-up cache.
 */
@Command(name = "warm-up", hidden = true, description = "Makes the cache that shortens later starts.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String SOURCE = "class Example { record Size(String value) {} }";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Logs.configure(new LogSettings(Verbosity.NORMAL, LogFormat.FULL, true, "object"));
        Path source = Files.createTempFile("kopf4j-", ".java");
        try {
            Files.writeString(source, SOURCE);
            var compiled = SourceCompiler.ofOwnClassPath()
                    .compile(List.of(source), spec.commandLine().getErr());
            LoggerFactory.getLogger(WarmUpCommand.class).info("Compiled {}.", compiled.topLevelClasses());
            return ExitCode.OK;
        } finally {
            Files.delete(source);
        }
    }
}
