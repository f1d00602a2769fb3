package dev.kopf4j.e2e;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Handlers for several processes that share the objects: each call is a line in a file of all. */
public final class ShardedHandlers {
    /** Made by kopf4j. */
    public ShardedHandlers() {}

    @OnCreate("kopfexamples")
    void created(String name) throws IOException {
        log("created " + name);
    }

    @OnUpdate("kopfexamples")
    void updated(String name, Spec spec) throws IOException {
        log("updated " + name + " " + spec.getInt("round", -1));
    }

    private static void log(String call) throws IOException {
        // One short write of a line: those of several processes do not mix.
        Files.writeString(
                Path.of(System.getenv(LoggedHandlers.FILE)),
                call + " " + ProcessHandle.current().pid() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
