package dev.kopf4j.text;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user's home folder: {@code HOME} of the environment, as kubectl and shells have it; without it, what the JVM
 * takes for it, which comes from the system's list of users and is often something else in containers.
 */
public final class HomeFolder {
    private HomeFolder() {}

    /** The folder of whoever runs this JVM. */
    public static Path current() {
        return of(System.getenv());
    }

    /** The folder that such an environment has. */
    public static Path of(Map<String, String> environment) {
        @Nullable String home = environment.get("HOME");
        return Path.of(home == null || home.isBlank() ? System.getProperty("user.home") : home);
    }
}
