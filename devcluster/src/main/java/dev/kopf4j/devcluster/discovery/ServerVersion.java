package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** The version that the server reports. */
final class ServerVersion {
    private ServerVersion() {}

    /** The answer of {@code /version}. */
    static ObjectNode info(KubernetesVersion kubernetes) {
        return Json.object()
                .put("major", "1")
                .put("minor", Integer.toString(kubernetes.minor()))
                .put("gitVersion", "v" + kubernetes + ".0-devcluster")
                .put("gitCommit", "0000000000000000000000000000000000000000")
                .put("gitTreeState", "clean")
                .put("buildDate", kubernetes.releaseDay() + "T00:00:00Z")
                .put("goVersion", "java" + Runtime.version().feature())
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
    }
}
