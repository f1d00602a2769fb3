package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The name and version by which the framework presents itself to servers. */
public final class UserAgent {
    /**
     * The value of the {@code User-Agent} header. The API server takes its first part as the field manager of changes.
     */
    public static final String USER_AGENT = "kopf4j/" + version();

    private UserAgent() {}

    /** From a file that the build writes: a class path knows neither modules' versions nor which jar it is. */
    private static String version() {
        try (InputStream file = UserAgent.class.getResourceAsStream("version.txt")) {
            return file == null ? "unknown" : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Reading the version has failed", e);
        }
    }
}
