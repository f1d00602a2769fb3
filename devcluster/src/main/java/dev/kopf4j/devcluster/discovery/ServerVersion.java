package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** The version that the server reports: that of the recorded server. */
public final class ServerVersion {
    private ServerVersion() {}

    /** The answer of {@code /version}. */
    public static ObjectNode info() {
        return Json.object()
                .put("major", "1")
                .put("minor", "33")
                .put("gitVersion", "v1.33.0-devcluster")
                .put("gitCommit", "0000000000000000000000000000000000000000")
                .put("gitTreeState", "clean")
                .put("buildDate", "2025-04-23T13:07:12Z")
                .put("goVersion", "java" + Runtime.version().feature())
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
    }
}
