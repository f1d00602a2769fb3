package dev.kopf4j.testing.environment;

import dev.kopf4j.View;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;

/** Reads which object a value stands for. Pure. */
final class ObjectReferences {
    private ObjectReferences() {}

    /** The reference; {@link IllegalArgumentException} if it is none. */
    static ObjectReference of(Object object) {
        ObjectReference found = switch (object) {
            case HasMetadata model ->
                new ObjectReference(
                        model.getApiVersion(),
                        model.getKind(),
                        model.getMetadata().getName(),
                        model.getMetadata().getUid(),
                        model.getMetadata().getNamespace());
            case View view -> ObjectReference.of(Json.fromJava(view.toMap()));
            case Map<?, ?> map -> ObjectReference.of(Json.fromJava(map));
            default ->
                throw new IllegalArgumentException("not an object of Kubernetes, but a "
                        + object.getClass().getName() + ": give a model of fabric8, a Body, or a map");
        };
        if (found.apiVersion() == null || found.kind() == null || found.name() == null) {
            throw new IllegalArgumentException(
                    "an object needs apiVersion, kind and metadata.name to be awaited: " + Objects.toString(object));
        }
        return found;
    }
}
