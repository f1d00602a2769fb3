package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives services with a selector their slices and Endpoints: {@code pkg/controller/endpointslice} and
 * {@code pkg/controller/endpoint}, v1.33. Those of services without a selector, or of another name, are left alone.
 */
public final class ServiceController implements WorkloadController {
    private final ControllerActions actions;
    private final EndpointSlices slices;

    /** A controller without a state of its own. */
    public ServiceController(ControllerActions actions) {
        this.actions = actions;
        this.slices = new EndpointSlices(actions);
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode service = object.tree();
        JsonNode spec = service.path("spec");
        if (object.deleting()
                || spec.path("selector").isEmpty()
                || Json.string(spec, "type").equals("ExternalName")) {
            return;
        }
        List<ServicePod> pods = pods(object.namespace(), service);
        slices.update(object, service, pods);
        updateEndpoints(object, service, pods);
    }

    private List<ServicePod> pods(String namespace, JsonNode service) {
        ObjectNode labels = Json.object();
        labels.set("matchLabels", service.path("spec").path("selector"));
        LabelSelector selector = LabelSelector.of(labels);
        return actions.in(WorkloadKind.POD, namespace).stream()
                .map(StoredObject::tree)
                .filter(pod -> selector.matches(pod.path("metadata").path("labels")))
                .map(pod -> new ServicePod(service, pod))
                .filter(ServicePod::counts)
                .toList();
    }

    private void updateEndpoints(StoredObject object, JsonNode service, List<ServicePod> pods) {
        Optional<StoredObject> present = actions.find(WorkloadKind.ENDPOINTS, object.namespace(), object.name());
        if (present.isPresent()) {
            ObjectNode tree = present.get().tree();
            setEndpoints(tree, service, pods);
            actions.replace(WorkloadKind.ENDPOINTS, present.get(), tree);
        } else {
            ObjectNode made = Json.object();
            made.putObject("metadata").put("name", object.name());
            setEndpoints(made, service, pods);
            actions.create(WorkloadKind.ENDPOINTS, object.namespace(), made);
        }
    }

    /** Whoever has made its Endpoints. */
    @Override
    public void gone(String namespace, String name) {
        actions.find(WorkloadKind.ENDPOINTS, namespace, name)
                .ifPresent(object -> actions.delete(WorkloadKind.ENDPOINTS, object));
    }

    /**
     * Puts labels and addresses into the Endpoints of a service: {@code syncService} in
     * {@code pkg/controller/endpoint/endpoints_controller.go}, and {@code RepackSubsets} in
     * {@code pkg/api/v1/endpoints/util.go}, v1.33.
     */
    private static void setEndpoints(ObjectNode endpoints, JsonNode service, List<ServicePod> pods) {
        Json.child(endpoints, "metadata").set("labels", ServiceLabels.ofEndpoints(service));
        Map<String, List<ServicePod>> byPorts = new LinkedHashMap<>();
        pods.stream()
                .filter(pod -> !pod.isTerminating() || pod.publishesAll())
                .sorted(Comparator.comparing(ServicePod::address))
                .forEach(pod -> byPorts.computeIfAbsent(Json.text(pod.ports()), text -> new ArrayList<>())
                        .add(pod));
        if (byPorts.isEmpty()) {
            endpoints.remove("subsets");
            return;
        }
        ArrayNode subsets = endpoints.putArray("subsets");
        byPorts.forEach((ports, members) -> {
            ObjectNode subset = subsets.addObject();
            addresses(subset, "addresses", members, true);
            addresses(subset, "notReadyAddresses", members, false);
            JsonNode list = Json.parse(ports);
            list.forEach(port -> {
                if (Json.string(port, "name").isEmpty()) {
                    ((ObjectNode) port).remove("name");
                }
            });
            if (!list.isEmpty()) {
                subset.set("ports", list);
            }
        });
    }

    private static void addresses(ObjectNode subset, String field, List<ServicePod> pods, boolean ready) {
        List<ServicePod> some =
                pods.stream().filter(pod -> pod.isReady() == ready).toList();
        if (!some.isEmpty()) {
            ArrayNode addresses = subset.putArray(field);
            some.forEach(pod -> addresses.add(pod.endpointAddress()));
        }
    }

    /**
     * Keeps the slices of services: {@code reconciler.go} of {@code k8s.io/endpointslice}, v1.33. Pods with the same
     * ports share slices of up to 100; a service without pods has an empty one. Used by the tasks of the server only.
     */
    private static final class EndpointSlices {
        private static final WorkloadKind KIND = WorkloadKind.ENDPOINT_SLICE;
        private static final int MOST = 100;
        private final ControllerActions actions;

        EndpointSlices(ControllerActions actions) {
            this.actions = actions;
        }

        void update(StoredObject object, JsonNode service, List<ServicePod> pods) {
            List<StoredObject> present = new ArrayList<>(actions.owned(KIND, object).stream()
                    .filter(slice -> !slice.deleting() && isManaged(slice.tree()))
                    .toList());
            for (ObjectNode wanted : wanted(service, pods)) {
                StoredObject fitting = present.stream()
                        .filter(slice -> JsonEquality.same(portsOf(slice.tree()), wanted.path("ports")))
                        .findFirst()
                        .or(() -> present.stream().findFirst())
                        .orElse(null);
                if (fitting == null) {
                    create(object, wanted);
                } else {
                    present.remove(fitting);
                    replace(fitting, wanted);
                }
            }
            present.forEach(slice -> actions.delete(KIND, slice));
        }

        private static JsonNode portsOf(JsonNode slice) {
            return slice.path("ports").isArray() ? slice.path("ports") : Json.array();
        }

        private static boolean isManaged(JsonNode slice) {
            return Json.string(slice, "metadata", "labels", ServiceLabels.SLICE_MANAGER)
                    .equals(ServiceLabels.SLICE_CONTROLLER);
        }

        /** The slices that there should be, without names. */
        private static List<ObjectNode> wanted(JsonNode service, List<ServicePod> pods) {
            Map<String, List<ServicePod>> byPorts = new LinkedHashMap<>();
            for (ServicePod pod : pods) {
                byPorts.computeIfAbsent(Json.text(pod.ports()), text -> new ArrayList<>())
                        .add(pod);
            }
            List<ObjectNode> slices = new ArrayList<>();
            byPorts.forEach((ports, members) -> {
                for (int from = 0; from < members.size(); from += MOST) {
                    List<ServicePod> part = members.subList(from, Math.min(members.size(), from + MOST));
                    slices.add(slice(service, part, (ArrayNode) Json.parse(ports)));
                }
            });
            return slices.isEmpty() ? List.of(slice(service, List.of(), Json.array())) : slices;
        }

        private static ObjectNode slice(JsonNode service, List<ServicePod> pods, ArrayNode ports) {
            ObjectNode slice = Json.object();
            slice.putObject("metadata").set("labels", ServiceLabels.ofSlice(service));
            slice.put("addressType", "IPv4");
            ArrayNode endpoints = slice.putArray("endpoints");
            pods.forEach(pod -> endpoints.add(pod.endpoint()));
            slice.set("ports", ports);
            return slice;
        }

        private void create(StoredObject service, ObjectNode slice) {
            Json.child(slice, "metadata").put("generateName", service.name() + "-");
            actions.create(KIND, service, WorkloadKind.SERVICE, slice);
        }

        private void replace(StoredObject present, ObjectNode wanted) {
            ObjectNode tree = present.tree();
            Json.child(tree, "metadata").set("labels", wanted.at("/metadata/labels"));
            tree.set("endpoints", wanted.path("endpoints"));
            tree.set("ports", wanted.path("ports"));
            actions.replaceSpec(KIND, present, tree);
        }
    }

    /**
     * The labels of slices and Endpoints: those of the service, and a few of their own. {@code setEndpointSliceLabels}
     * in {@code utils.go} of {@code k8s.io/endpointslice}, and {@code syncService} in
     * {@code pkg/controller/endpoint/endpoints_controller.go}, v1.33. Pure.
     */
    private static final class ServiceLabels {
        static final String SERVICE = "kubernetes.io/service-name";
        static final String SLICE_MANAGER = "endpointslice.kubernetes.io/managed-by";
        static final String SLICE_CONTROLLER = "endpointslice-controller.k8s.io";
        private static final String HEADLESS = "service.kubernetes.io/headless";
        private static final Set<String> RESERVED = Set.of(SERVICE, SLICE_MANAGER, HEADLESS);

        private ServiceLabels() {}

        static ObjectNode ofSlice(JsonNode service) {
            return inherited(service)
                    .put(SLICE_MANAGER, SLICE_CONTROLLER)
                    .put(SERVICE, Json.string(service, "metadata", "name"));
        }

        static ObjectNode ofEndpoints(JsonNode service) {
            return inherited(service).put("endpoints.kubernetes.io/managed-by", "endpoint-controller");
        }

        private static ObjectNode inherited(JsonNode service) {
            ObjectNode labels = Json.object();
            service.path("metadata").path("labels").properties().forEach(label -> {
                if (!RESERVED.contains(label.getKey())) {
                    labels.set(label.getKey(), label.getValue());
                }
            });
            String address = Json.string(service, "spec", "clusterIP");
            return address.isEmpty() || address.equals("None") ? labels.put(HEADLESS, "") : labels;
        }
    }

    /**
     * A pod behind a service: {@code podToEndpoint} and {@code getEndpointPorts} in {@code utils.go} of
     * {@code k8s.io/endpointslice}, and {@code FindPort} in {@code pkg/api/v1/pod/util.go}, v1.33. Immutable.
     */
    private record ServicePod(JsonNode service, JsonNode pod) {
        /** Whether the pod can be an endpoint: it has an address, and has not ended. */
        boolean counts() {
            return !address().isEmpty() && !PodTemplate.hasEnded(pod);
        }

        String address() {
            return Json.string(pod, "status", "podIP");
        }

        boolean isTerminating() {
            return pod.path("metadata").has("deletionTimestamp");
        }

        boolean isReady() {
            return publishesAll() || (PodTemplate.isReady(pod) && !isTerminating());
        }

        boolean publishesAll() {
            return service.path("spec").path("publishNotReadyAddresses").booleanValue(false);
        }

        /** The endpoint in a slice. */
        ObjectNode endpoint() {
            ObjectNode endpoint = Json.object();
            endpoint.putArray("addresses").add(address());
            endpoint.putObject("conditions")
                    .put("ready", isReady())
                    .put("serving", PodTemplate.isReady(pod))
                    .put("terminating", isTerminating());
            hostname().ifPresent(name -> endpoint.put("hostname", name));
            endpoint.set("targetRef", reference());
            String node = Json.string(pod, "spec", "nodeName");
            if (!node.isEmpty()) {
                endpoint.put("nodeName", node);
            }
            return endpoint;
        }

        /** The address in an Endpoints object. */
        ObjectNode endpointAddress() {
            ObjectNode address = Json.object().put("ip", address());
            hostname().ifPresent(name -> address.put("hostname", name));
            String node = Json.string(pod, "spec", "nodeName");
            if (!node.isEmpty()) {
                address.put("nodeName", node);
            }
            address.set("targetRef", reference());
            return address;
        }

        private ObjectNode reference() {
            return Json.object()
                    .put("kind", "Pod")
                    .put("namespace", Json.string(pod, "metadata", "namespace"))
                    .put("name", Json.string(pod, "metadata", "name"))
                    .put("uid", Json.string(pod, "metadata", "uid"));
        }

        private Optional<String> hostname() {
            String name = Json.string(pod, "spec", "hostname");
            return !name.isEmpty()
                            && Json.string(pod, "spec", "subdomain").equals(Json.string(service, "metadata", "name"))
                    ? Optional.of(name)
                    : Optional.empty();
        }

        /** The ports of the service as the pod has them; one whose name no container has is left out. */
        ArrayNode ports() {
            ArrayNode ports = Json.array();
            for (JsonNode port : service.path("spec").path("ports")) {
                long number = number(port);
                if (number > 0) {
                    ObjectNode shown = ports.addObject()
                            .put("name", Json.string(port, "name"))
                            .put("port", number)
                            .put("protocol", protocol(port));
                    if (port.has("appProtocol")) {
                        shown.set("appProtocol", port.path("appProtocol"));
                    }
                }
            }
            return ports;
        }

        private static String protocol(JsonNode port) {
            String protocol = Json.string(port, "protocol");
            return protocol.isEmpty() ? "TCP" : protocol;
        }

        private long number(JsonNode port) {
            JsonNode target = port.path("targetPort");
            if (target.isNumber() && target.longValue() > 0) {
                return target.longValue();
            }
            if (!target.isString() || target.stringValue().isEmpty()) {
                return port.path("port").longValue(0);
            }
            return Json.items(pod, "spec", "containers")
                    .flatMap(container -> Json.items(container, "ports"))
                    .filter(each -> Json.string(each, "name").equals(target.stringValue())
                            && protocol(each).equals(protocol(port)))
                    .mapToLong(each -> each.path("containerPort").longValue(0))
                    .findFirst()
                    .orElse(0);
        }
    }
}
