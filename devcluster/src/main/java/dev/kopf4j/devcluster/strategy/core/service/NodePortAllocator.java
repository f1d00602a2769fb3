package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives services their node ports: {@code initNodePorts}, {@code updateNodePorts} and {@code updateHealthCheckNodePort}
 * in {@code pkg/registry/core/service/storage/alloc.go}, v1.33. Thread-safe.
 */
final class NodePortAllocator {
    /** {@code DefaultServiceNodePortRange} in {@code pkg/kubeapiserver/options/options.go}. */
    private static final int FIRST = 30000;

    private static final int LAST = 32767;
    private static final String TAKEN = "provided port is already allocated";
    private final ValuesInUse ports;

    NodePortAllocator(Supplier<Set<String>> stored) {
        ports = new ValuesInUse(stored, number -> String.valueOf(FIRST + number), LAST - FIRST + 1, 100);
    }

    void release(ObjectNode spec) {
        ports.release(spec);
    }

    /**
     * Sets the ports that a spec needs and does not set, and takes those that it asks for.
     *
     * @param before the spec before; missing for a new service
     * @return why a port cannot be had; empty if all can
     */
    List<FieldError> allocate(JsonNode before, ObjectNode spec) {
        ServiceType type = ServiceType.of(spec);
        if (type.isExposed()) {
            boolean all = type == ServiceType.NODE_PORT
                    || spec.path("allocateLoadBalancerNodePorts").booleanValue(false);
            List<FieldError> errors = before.isObject() ? change(before, spec, all) : create(spec, all);
            if (!errors.isEmpty()) {
                return errors;
            }
        }
        if (type.checksHealth(spec) && !ServiceType.of(before).checksHealth(before)) {
            healthCheck(spec);
        }
        return List.of();
    }

    /** Ports of the same number but other protocols get the same node port. */
    private List<FieldError> create(ObjectNode spec, boolean all) {
        Map<Long, Long> known = new HashMap<>();
        JsonNode servicePorts = spec.path("ports");
        for (int index = 0; index < servicePorts.size(); index++) {
            ObjectNode port = (ObjectNode) servicePorts.get(index);
            long number = port.path("port").longValue(0);
            long wanted = nodePort(port);
            if (wanted == 0 && !all) {
                continue;
            }
            long same = known.getOrDefault(number, 0L);
            long asked = same == 0 ? requested(servicePorts, number) : wanted;
            if (asked != 0 && asked != same) {
                String problem = problem(spec, asked);
                if (!problem.isEmpty()) {
                    return List.of(error(index, asked, problem));
                }
            }
            long given = asked != 0 ? asked : same != 0 ? same : next(spec);
            known.putIfAbsent(number, given);
            port.put("nodePort", given);
        }
        return List.of();
    }

    private static long requested(JsonNode ports, long number) {
        return ports.valueStream()
                .filter(port -> port.path("port").longValue(0) == number)
                .mapToLong(NodePortAllocator::nodePort)
                .filter(each -> each != 0)
                .findFirst()
                .orElse(0);
    }

    private List<FieldError> change(JsonNode before, ObjectNode spec, boolean all) {
        Set<Long> had = new HashSet<>();
        before.path("ports").forEach(port -> had.add(nodePort(port)));
        Set<String> seen = new HashSet<>();
        JsonNode servicePorts = spec.path("ports");
        for (int index = 0; index < servicePorts.size(); index++) {
            ObjectNode port = (ObjectNode) servicePorts.get(index);
            long number = nodePort(port);
            if (number == 0 && all) {
                number = next(spec);
                port.put("nodePort", number);
            } else if (number == 0) {
                continue;
            } else if (had.add(number)) {
                String problem = problem(spec, number);
                if (!problem.isEmpty()) {
                    return List.of(error(index, number, problem));
                }
            }
            String shown = "{" + Json.string(port, "protocol") + " " + number + "}";
            if (!seen.add(shown)) {
                throw ApiException.plain500("duplicate nodePort: " + shown);
            }
        }
        return List.of();
    }

    private void healthCheck(ObjectNode spec) {
        long wanted = spec.path("healthCheckNodePort").longValue(0);
        if (wanted == 0) {
            spec.put("healthCheckNodePort", next(spec));
            return;
        }
        String problem = problem(spec, wanted);
        if (!problem.isEmpty()) {
            throw ApiException.internal("failed to allocate requested HealthCheck NodePort " + wanted + ": " + problem);
        }
    }

    private static FieldError error(int index, long number, String problem) {
        return FieldError.invalid("spec.ports[" + index + "].nodePort", String.valueOf(number), problem);
    }

    private String problem(ObjectNode spec, long number) {
        if (number < FIRST || number > LAST) {
            return "provided port is not in the valid range. The range of valid ports is " + FIRST + "-" + LAST;
        }
        return ports.take(spec, String.valueOf(number)) ? "" : TAKEN;
    }

    private long next(ObjectNode spec) {
        return ports.takeNext(spec)
                .map(Long::valueOf)
                .orElseThrow(() -> ApiException.internal("failed to allocate a nodePort: range is full"));
    }

    private static long nodePort(JsonNode port) {
        return port.path("nodePort").longValue(0);
    }
}
