package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code beginCreate} and {@code beginUpdate} in {@code pkg/registry/core/service/storage/storage.go}, v1.33.
 * What cannot be allocated is refused before anything else is checked. Thread-safe.
 */
public final class ServiceStrategy implements ResourceStrategy {
    private final ClusterIpAllocator addresses;
    private final NodePortAllocator nodePorts;

    /** A strategy that gives addresses and ports which no service in a store has. */
    public ServiceStrategy(ObjectStore objectStore) {
        StoredServices stored = new StoredServices(objectStore);
        addresses = new ClusterIpAllocator(new ValuesInUse(stored::addresses));
        nodePorts = new NodePortAllocator(new ValuesInUse(stored::nodePorts));
    }

    @Override
    public void prepare(ObjectDraft draft) {
        ServiceDefaults.set(draft.next());
        if (draft.isStatus()) {
            return;
        }
        ObjectNode spec = Json.child(draft.next(), "spec");
        JsonNode before = ServiceValidation.before(draft);
        if (before.isObject()) {
            ServiceTypeTransition.keepAllocated(before, spec);
        }
        ClusterIpFields.normalize(before, spec);
        require(draft, IpFamilies.assign(before, spec));
        require(draft, addresses.allocate(before, spec));
        require(draft, nodePorts.allocate(before, spec));
        if (before.isObject()) {
            ServiceTypeTransition.dropFields(before, spec);
        }
        if (!draft.isNew() && ServiceType.of(spec) != ServiceType.LOAD_BALANCER) {
            draft.next().putObject("status").putObject("loadBalancer");
        }
    }

    private static void require(ObjectDraft draft, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            String name = Json.string(draft.next(), "metadata", "name");
            throw ApiException.invalid(draft.resource().kindSubject(name), errors);
        }
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return draft.subresource().isEmpty() ? AddressWarnings.of(draft.next()) : List.of();
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        if (draft.isStatus()) {
            BalancerStatusValidation.check(draft, checks);
        } else {
            ServiceValidation.check(draft, checks);
        }
    }
}
