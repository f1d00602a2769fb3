package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/** Services: defaults and the cluster address. */
final class ServiceStep implements KindRules {
    private final AtomicInteger addresses = new AtomicInteger(10);

    @Override
    public void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (Json.string(spec, "type").isEmpty()) {
            spec.put("type", "ClusterIP");
        }
        boolean wantsAddress = !Json.string(spec, "type").equals("ExternalName");
        if (draft.isNew()) {
            Json.child(draft.next(), "status").putObject("loadBalancer");
        }
        if (wantsAddress && Json.string(spec, "clusterIP").isEmpty()) {
            int number = addresses.getAndIncrement();
            String address = "10.96." + (number / 250 % 256) + "." + (number % 250 + 1);
            spec.put("clusterIP", address);
            spec.set("clusterIPs", Json.array(List.of(address)));
        }
    }

    @Override
    public List<Cause> check(Draft draft) {
        return List.of();
    }
}
