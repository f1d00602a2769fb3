package dev.kopf4j.e2e;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnUpdate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Handlers for processes of their own: each call is a line in a file, which outlives the process. */
public final class LoggedHandlers {
    /** The variable of the environment that names the file. */
    static final String FILE = "LOGGED_CALLS";

    /** Made by kopf4j. */
    public LoggedHandlers() {}

    /** Where these classes are: what kopf4j is to run. */
    static Path folder() {
        return Path.of(LoggedHandlers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /** The calls that were written to that file until now, oldest first. */
    static List<String> calls(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @OnCreate("kopfexamples")
    String first(String name) throws IOException {
        return log("first", name);
    }

    @OnCreate("kopfexamples")
    String second(String name) throws IOException {
        return log("second", name);
    }

    @OnUpdate("kopfexamples")
    String changed(String name) throws IOException {
        return log("changed", name);
    }

    @OnDelete("kopfexamples")
    void released(String name) throws IOException {
        log("released", name);
    }

    private static String log(String handler, String name) throws IOException {
        String call = handler + " " + name;
        Path calls = Path.of(System.getenv(FILE));
        Files.writeString(calls, call + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return call;
    }
}
