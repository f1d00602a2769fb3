package dev.kopf4j.webhook;

import dev.kopf4j.text.HomeFolder;
import java.nio.file.Path;

/** Paths that begin with the home directory. */
final class HomePath {
    private HomePath() {}

    /** The path with {@code ~} at its beginning replaced. */
    static Path resolved(Path path) {
        if (path.isAbsolute() || !path.getName(0).toString().equals("~")) {
            return path;
        }
        Path home = HomeFolder.current();
        return path.getNameCount() == 1 ? home : home.resolve(path.subpath(1, path.getNameCount()));
    }
}
