package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a program with the options that users' operators have, and a start-up cache of an earlier run.
 *
 * @param mainClass the program
 * @param options of the JVM
 */
record MeasuredJvm(Class<?> mainClass, List<String> options) {
    /** The same with a cache, which a run makes that ends when it has said its first line and answered the question. */
    MeasuredJvm cached(String question, String... arguments) throws IOException {
        Path file = Files.createTempFile("kopf4j-benchmark", ".aot");
        file.toFile().deleteOnExit();
        try (ChildProcess rehearsal = with("-XX:AOTCacheOutput=" + file).start(arguments)) {
            rehearsal.ask(question);
        }
        if (Files.size(file) == 0) {
            throw new IllegalStateException("the JVM has made no start-up cache");
        }
        return with("-XX:AOTCache=" + file);
    }

    private MeasuredJvm with(String option) {
        List<String> all = new ArrayList<>(options);
        all.add(option);
        return new MeasuredJvm(mainClass, List.copyOf(all));
    }

    /** The process when it has said its first line, which is lost. */
    ChildProcess start(String... arguments) {
        ChildProcess process = launch(arguments);
        process.line();
        return process;
    }

    /** The process, which has said nothing yet. */
    ChildProcess launch(String... arguments) {
        return ChildProcess.start(mainClass, options, arguments);
    }
}
