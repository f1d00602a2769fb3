package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

/** Which images the simulated node can pull: all but those of hosts that cannot exist. Pure. */
final class PodImages {
    /** What a container waits for whose image cannot be pulled. */
    static final String BACK_OFF = "ImagePullBackOff";

    /** RFC 2606 reserves it: no host has such a name. */
    private static final String NO_HOST = ".invalid";

    private PodImages() {}

    static boolean canBePulled(JsonNode pod) {
        return Json.items(pod, "spec", "containers").noneMatch(PodImages::isOfNoHost);
    }

    static boolean isOfNoHost(JsonNode container) {
        String host = Json.string(container, "image").replaceFirst("[/:].*", "");
        return host.endsWith(NO_HOST);
    }

    /** True if the pod waits for an image that will never come. */
    static boolean isPullBackOff(JsonNode pod) {
        return Json.items(pod, "status", "containerStatuses")
                .anyMatch(status ->
                        Json.string(status, "state", "waiting", "reason").equals(BACK_OFF));
    }
}
