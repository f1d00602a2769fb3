package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.value.IpAddresses;
import dev.kopf4j.json.JsonEquality;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code beginCreate} and {@code beginUpdate} in {@code pkg/registry/core/service/storage/storage.go}, v1.33.
 * What cannot be allocated is refused before anything else is checked. Thread-safe.
 */
public final class ServiceStrategy extends TableStrategy {
    /** What the rows of {@code services} call. */
    public static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return ServiceValidation.function(name);
    }

    /** The address of the Service {@code kubernetes}: the first one. */
    public static final String FIRST_ADDRESS = "10.96.0.1";

    /** The range of the addresses of services. */
    public static final String ADDRESSES = "10.96.0.0/16";

    private final ClusterIpAllocator addresses;
    private final NodePortAllocator nodePorts;

    /** A strategy that gives addresses and ports which no service in a store has. */
    public ServiceStrategy(RuleTable table, ObjectStore objectStore) {
        super(table, "services");
        StoredServices stored = new StoredServices(objectStore);
        addresses = new ClusterIpAllocator(stored::addresses);
        nodePorts = new NodePortAllocator(stored::nodePorts);
    }

    @Override
    public Runnable begin(ObjectDraft draft) {
        if (draft.isStatus()) {
            return NOTHING_TAKEN;
        }
        ObjectNode spec = Json.child(draft.next(), "spec");
        try {
            allocate(draft, spec);
        } catch (ApiException e) {
            release(spec);
            throw e;
        }
        return () -> release(spec);
    }

    private void release(ObjectNode spec) {
        addresses.release(spec);
        nodePorts.release(spec);
    }

    private void allocate(ObjectDraft draft, ObjectNode spec) {
        JsonNode before = ServiceValidation.before(draft);
        if (before.isObject()) {
            ServiceTypeTransition.keepAllocated(before, spec);
        }
        normalizeClusterIps(before, spec);
        require(draft, IpFamilies.assign(before, spec));
        require(draft, addresses.allocate(before, spec));
        require(draft, nodePorts.allocate(before, spec));
        if (before.isObject()) {
            ServiceTypeTransition.dropFields(before, spec);
        }
        if (!draft.isNew() && ServiceType.of(spec) != ServiceType.LOAD_BALANCER) {
            Json.child(draft.next(), "status").putObject("loadBalancer");
        }
    }

    private static void require(ObjectDraft draft, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            String name = Json.string(draft.next(), "metadata", "name");
            throw ApiException.invalid(draft.resource().kindSubject(name), errors);
        }
    }

    /**
     * Guesses {@code clusterIPs} from {@code clusterIP}, for clients that know only the one:
     * {@code normalizeClusterIPs} in {@code pkg/registry/core/service/storage/storage.go}, v1.33.
     *
     * @param before the spec before; missing for a new service
     */
    private static void normalizeClusterIps(JsonNode before, ObjectNode spec) {
        String address = Json.string(spec, "clusterIP");
        if (!before.isObject()) {
            if (!address.isEmpty() && spec.path("clusterIPs").isEmpty()) {
                setClusterIp(spec, address);
            }
            return;
        }
        String former = Json.string(before, "clusterIP");
        boolean changed = !former.equals(address);
        boolean unset = spec.path("clusterIPs").isEmpty();
        if (!changed && unset && !before.path("clusterIPs").isEmpty()) {
            spec.set("clusterIPs", before.get("clusterIPs").deepCopy());
        }
        if (changed && JsonEquality.same(before.path("clusterIPs"), spec.path("clusterIPs"))) {
            setClusterIp(spec, address);
        }
    }

    private static void setClusterIp(ObjectNode spec, String address) {
        spec.set("clusterIPs", Json.array(List.of(address)));
    }

    /** Reads from the stored services which addresses and ports they have. */
    private record StoredServices(ObjectStore objectStore) {
        Set<String> addresses() {
            return specs().flatMap(spec -> Json.items(spec, "clusterIPs"))
                    .map(JsonNode::asString)
                    .collect(Collectors.toSet());
        }

        Set<String> nodePorts() {
            return specs().flatMap(spec -> Stream.concat(
                            Json.items(spec, "ports").map(port -> port.path("nodePort")),
                            Stream.of(spec.path("healthCheckNodePort"))))
                    .filter(JsonNode::isNumber)
                    .map(JsonNode::asString)
                    .collect(Collectors.toSet());
        }

        private Stream<JsonNode> specs() {
            return objectStore.list(objectStore.bucket("services"), "").objects().stream()
                    .map(StoredObject::tree)
                    .map(service -> service.path("spec"));
        }
    }

    /**
     * Gives services their addresses: {@code txnAllocClusterIPs} and {@code txnUpdateClusterIPs} in
     * {@code pkg/registry/core/service/storage/alloc.go}, v1.33, with the range {@code 10.96.0.0/16}, whose first and
     * last address no service has. Thread-safe.
     */
    private static final class ClusterIpAllocator {
        private static final int FIRST = 10;
        private static final IpAddresses.Range RANGE =
                IpAddresses.parseRange(ADDRESSES).orElseThrow();
        private static final Set<String> RESERVED = Set.of("10.96.0.0", "10.96.255.255");
        private final ValuesInUse addresses;

        ClusterIpAllocator(Supplier<Set<String>> stored) {
            addresses = new ValuesInUse(
                    stored, number -> "10.96." + number / 250 + "." + (number % 250 + 1), 256 * 250, FIRST);
        }

        void release(ObjectNode spec) {
            addresses.release(spec);
        }

        /**
         * Sets the address of a service that needs one and has none, or takes the one that it asks for.
         *
         * @param before the spec before; missing for a new service
         * @return why the address cannot be had; empty if it can
         */
        List<FieldError> allocate(JsonNode before, ObjectNode spec) {
            boolean needs = ServiceType.of(spec).hasClusterIp();
            boolean had = before.isObject() && ServiceType.of(before).hasClusterIp();
            JsonNode wanted = spec.path("clusterIPs");
            if (!needs || had || wanted.path(0).stringValue("").equals("None")) {
                return List.of();
            }
            if (wanted.isEmpty()) {
                String address = addresses
                        .takeNext(spec)
                        .orElseThrow(() -> ApiException.internal("failed to allocate a serviceIP: range is full"));
                spec.put("clusterIP", address);
                spec.set("clusterIPs", Json.array(List.of(address)));
                return List.of();
            }
            String address = wanted.path(0).asString();
            String problem = problem(spec, address);
            return problem.isEmpty()
                    ? List.of()
                    : List.of(FieldError.invalid(
                            "spec.clusterIPs", Json.text(wanted), "failed to allocate IP " + address + ": " + problem));
        }

        private String problem(ObjectNode spec, String address) {
            if (IpAddresses.parse(address).filter(RANGE::contains).isEmpty()) {
                return "the provided network does not match the current range";
            }
            if (RESERVED.contains(address)) {
                return "the provided IP (" + address + ") is not in the valid range. The range of valid IPs is "
                        + ADDRESSES;
            }
            return addresses.take(spec, address) ? "" : "provided IP is already allocated";
        }
    }

    /**
     * Keeps the values that the server has allocated for a service, and removes those that its new type does not have:
     * {@code patchAllocatedValues} in {@code pkg/registry/core/service/storage/storage.go} and
     * {@code dropTypeDependentFields} in {@code pkg/registry/core/service/strategy.go}, v1.33. A field is removed only
     * if the client left it as it was.
     */
    private static final class ServiceTypeTransition {
        private static final Set<String> WITH_ADDRESS = Set.of("ClusterIP", "NodePort", "LoadBalancer");
        private static final Set<String> EXPOSED = Set.of("NodePort", "LoadBalancer");
        private static final Set<String> BALANCED = Set.of("LoadBalancer");

        /** The types of services that have each field. */
        private static final Map<String, Set<String>> OF_TYPES = Map.of(
                "clusterIP", WITH_ADDRESS,
                "clusterIPs", WITH_ADDRESS,
                "ipFamilies", WITH_ADDRESS,
                "ipFamilyPolicy", WITH_ADDRESS,
                "allocateLoadBalancerNodePorts", BALANCED,
                "loadBalancerClass", BALANCED,
                "internalTrafficPolicy", WITH_ADDRESS);

        private final JsonNode before;
        private final ObjectNode next;
        private final String formerType;
        private final String type;

        private ServiceTypeTransition(JsonNode before, ObjectNode next) {
            this.before = before;
            this.next = next;
            this.formerType = Json.string(before, "type");
            this.type = Json.string(next, "type");
        }

        /** Keeps what was allocated and the client does not name, in the next spec, whose type is set already. */
        static void keepAllocated(JsonNode before, ObjectNode next) {
            ServiceTypeTransition transition = new ServiceTypeTransition(before, next);
            transition.keepAddress();
            transition.keepNodePorts();
            transition.keepHealthCheck();
        }

        /** Removes what the next type does not have. */
        static void dropFields(JsonNode before, ObjectNode next) {
            ServiceTypeTransition transition = new ServiceTypeTransition(before, next);
            transition.dropNodePorts();
            OF_TYPES.forEach((field, types) -> transition.drop(field, transition.leaves(types)));
            ServiceType former = ServiceType.of(before);
            ServiceType type = ServiceType.of(next);
            transition.drop("healthCheckNodePort", former.checksHealth(before) && !type.checksHealth(next));
            transition.drop(
                    "externalTrafficPolicy", former.isReachedFromOutside(before) && !type.isReachedFromOutside(next));
        }

        private boolean both(Set<String> types) {
            return types.contains(formerType) && types.contains(type);
        }

        private boolean leaves(Set<String> types) {
            return types.contains(formerType) && !types.contains(type);
        }

        private void keepAddress() {
            if (!both(WITH_ADDRESS)) {
                return;
            }
            if (Json.string(next, "clusterIP").isEmpty() && before.has("clusterIP")) {
                next.set("clusterIP", before.get("clusterIP"));
            }
            if (next.path("clusterIPs").isEmpty() && before.has("clusterIPs")) {
                next.set("clusterIPs", before.get("clusterIPs").deepCopy());
            }
        }

        /** Keeps the node ports of ports that have the same name as before. */
        private void keepNodePorts() {
            if (!both(EXPOSED) || !allocates(before) || !allocates(next)) {
                return;
            }
            Set<Long> taken = new HashSet<>(numbers(before));
            taken.retainAll(numbers(next));
            Map<String, Long> byName = new HashMap<>();
            before.path("ports").forEach(port -> byName.put(Json.string(port, "name"), number(port)));
            for (JsonNode port : next.path("ports")) {
                long former = byName.getOrDefault(Json.string(port, "name"), 0L);
                if (number(port) == 0 && former != 0 && taken.add(former)) {
                    ((ObjectNode) port).put("nodePort", former);
                }
            }
        }

        private static boolean allocates(JsonNode spec) {
            return ServiceType.of(spec) == ServiceType.NODE_PORT
                    || spec.path("allocateLoadBalancerNodePorts").booleanValue(true);
        }

        private void dropNodePorts() {
            if (leaves(EXPOSED) && numbers(before).equals(numbers(next))) {
                next.path("ports").forEach(port -> ((ObjectNode) port).remove("nodePort"));
            }
        }

        private void keepHealthCheck() {
            boolean both = ServiceType.of(before).checksHealth(before)
                    && ServiceType.of(next).checksHealth(next);
            if (both && next.path("healthCheckNodePort").longValue(0) == 0) {
                next.set("healthCheckNodePort", before.get("healthCheckNodePort"));
            }
        }

        private void drop(String field, boolean leaves) {
            if (leaves && JsonEquality.same(before.path(field), next.path(field))) {
                next.remove(List.of(field));
            }
        }

        private static Set<Long> numbers(JsonNode spec) {
            return Json.items(spec, "ports")
                    .map(ServiceTypeTransition::number)
                    .filter(number -> number != 0)
                    .collect(Collectors.toSet());
        }

        private static long number(JsonNode port) {
            return port.path("nodePort").longValue(0);
        }
    }
}
