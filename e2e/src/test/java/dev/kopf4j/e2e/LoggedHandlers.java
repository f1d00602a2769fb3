package dev.kopf4j.e2e;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What {@link SigkillTest} runs in processes of their own: each call is a line in a file that outlives the process. */
public final class LoggedHandlers {
    /** The variable of the environment that names the file. */
    static final String FILE = "LOGGED_CALLS";

    private static final Path CALLS = Path.of(System.getenv(FILE));

    /** Made by kopf4j. */
    public LoggedHandlers() {}

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
        Files.writeString(CALLS, call + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return call;
    }
}
