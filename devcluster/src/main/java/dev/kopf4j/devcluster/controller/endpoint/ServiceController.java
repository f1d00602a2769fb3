package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
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
            EndpointsObject.set(tree, service, pods);
            actions.replace(WorkloadKind.ENDPOINTS, present.get(), tree);
        } else {
            ObjectNode made = Json.object();
            made.putObject("metadata").put("name", object.name());
            EndpointsObject.set(made, service, pods);
            actions.create(WorkloadKind.ENDPOINTS, object.namespace(), made);
        }
    }

    @Override
    public void gone(String namespace, String name) {
        actions.find(WorkloadKind.ENDPOINTS, namespace, name)
                .filter(object -> Json.string(object.tree(), "metadata", "labels", "endpoints.kubernetes.io/managed-by")
                        .equals("endpoint-controller"))
                .ifPresent(object -> actions.delete(WorkloadKind.ENDPOINTS, object));
    }
}
