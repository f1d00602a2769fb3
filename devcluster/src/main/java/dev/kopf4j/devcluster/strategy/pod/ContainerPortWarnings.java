package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Warns about container ports that collide: {@code pkg/api/pod/warnings.go}, v1.33. Used for one pod. */
final class ContainerPortWarnings {
    private final List<String> warnings;
    private final List<Port> ports = new ArrayList<>();
    private final Map<String, String> paths = new HashMap<>();

    /** Warnings that are added to a list. */
    ContainerPortWarnings(List<String> warnings) {
        this.warnings = warnings;
    }

    private record Port(JsonNode port, String path) {
        String numberAndProtocol() {
            return port.path("containerPort").asString("") + "/" + Json.string(port, "protocol");
        }

        long hostPort() {
            return port.path("hostPort").longValue(0);
        }

        String hostAddress() {
            return Json.string(port, "hostIP");
        }
    }

    /** Compares the ports of a container with those of the containers before. */
    void check(JsonNode portsOfContainer, String where) {
        int index = 0;
        for (JsonNode port : portsOfContainer) {
            Port present = new Port(port, where + "[" + index++ + "]");
            for (Port other : ports) {
                if (other.numberAndProtocol().equals(present.numberAndProtocol())) {
                    overlap(present, other);
                }
            }
            name(Json.string(port, "name"), present);
            ports.add(present);
        }
    }

    private void name(String name, Port present) {
        String first = paths.get(name);
        if (first != null) {
            warnings.add(present.path() + ": duplicate port name \"" + name + "\" with " + first
                    + ", services and probes that select ports by name will use " + first);
        } else if (!name.isEmpty()) {
            paths.put(name, present.path());
        }
    }

    private void overlap(Port present, Port other) {
        if (present.hostPort() == other.hostPort() && present.hostAddress().equals(other.hostAddress())) {
            warnings.add(present.path() + ": duplicate port definition with " + other.path());
        } else if (present.hostPort() == 0 || other.hostPort() == 0) {
            warnings.add(present.path() + ": overlapping port definition with " + other.path());
        }
    }
}
