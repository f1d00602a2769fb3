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

    /** The path with {@code ~} at its beginning replaced by the folder. */
    public static Path resolved(Path path) {
        if (path.isAbsolute() || !path.getName(0).toString().equals("~")) {
            return path;
        }
        Path home = current();
        return path.getNameCount() == 1 ? home : home.resolve(path.subpath(1, path.getNameCount()));
    }
}
