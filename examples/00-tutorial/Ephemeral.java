import dev.kopf4j.*;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;

/** Keeps a PersistentVolumeClaim for each EphemeralVolumeClaim: of the same size and labels, and gone with it. */
class Ephemeral {
    record ClaimSpec(String size) {
        String requiredSize() {
            if (size == null) {
                throw new PermanentException("Size must be set: spec.size is absent.");
            }
            return size;
        }
    }

    @OnCreate("ephemeralvolumeclaims")
    Map<String, String> createFn(ClaimSpec spec, String name, String uid, KubernetesClient client, Logger logger) {
        PersistentVolumeClaim pvc = template(name, spec.requiredSize());
        Kopf.adopt(pvc); // the owner reference (so that it is deleted with its owner), the namespace, the labels
        Resource<PersistentVolumeClaim> child = client.resource(pvc);
        PersistentVolumeClaim present = child.get();
        if (present != null && !present.hasOwnerReferenceFor(uid)) { // such as that of a claim deleted a moment ago
            throw new TemporaryException("There is another PVC " + name + " yet.", Duration.ofSeconds(5));
        }
        if (present == null) { // an attempt that was cut off may have created it
            child.create(); // fails if somebody else is quicker, and is tried again
        }
        logger.info("PVC child is created: {}", name);
        return Map.of("pvc-name", name); // goes to status.createFn
    }

    @OnUpdate("ephemeralvolumeclaims")
    void updateFn(ClaimSpec spec, Status status, String namespace, KubernetesClient client, Logger logger) {
        Quantity size = new Quantity(spec.requiredSize());
        pvc(status, namespace, client).ifPresent(pvc -> {
            pvc.edit(it -> new PersistentVolumeClaimBuilder(it)
                    .editSpec()
                    .editResources()
                    .addToRequests("storage", size)
                    .endResources()
                    .endSpec()
                    .build());
            logger.info("PVC child is updated to the size {}", size);
        });
    }

    @OnField(value = "ephemeralvolumeclaims", field = "metadata.labels")
    void relabel(Diff diff, Status status, String namespace, KubernetesClient client, Logger logger) {
        Map<String, String> added = new HashMap<>();
        Map<String, String> removed = new HashMap<>();
        for (Diff.Item item : diff) {
            removed.putAll(labels(item, item.oldValue()));
            added.putAll(labels(item, item.newValue()));
        }
        pvc(status, namespace, client).ifPresent(pvc -> {
            pvc.edit(it -> new PersistentVolumeClaimBuilder(it)
                    .editMetadata()
                    .removeFromLabels(removed)
                    .addToLabels(added)
                    .endMetadata()
                    .build());
            logger.info("PVC child is relabelled: {}", diff);
        });
    }

    /** One label, or all of them at once: the first label to come and the last one to go are a change of the whole field. */
    private static Map<String, String> labels(Diff.Item item, Object value) {
        if (value instanceof Map<?, ?> all) {
            Map<String, String> labels = new HashMap<>();
            all.forEach((key, label) -> labels.put((String) key, (String) label));
            return labels;
        }
        return value == null ? Map.of() : Map.of(item.field().getFirst(), (String) value);
    }

    /** The child, by the name that createFn returned; none before that: createFn takes the size and labels of its time. */
    private static Optional<Resource<PersistentVolumeClaim>> pvc(
            Status status, String namespace, KubernetesClient client) {
        return status.getString("createFn.pvc-name")
                .map(client.persistentVolumeClaims().inNamespace(namespace)::withName);
    }

    private static PersistentVolumeClaim template(String name, String size) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity(size))
                .endResources()
                .endSpec()
                .build();
    }
}
