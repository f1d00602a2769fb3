package dev.kopf4j.testing.environment;

import dev.kopf4j.View;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.integration.CustomTypes;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;

/** Reads which object a value stands for. Pure. */
final class ObjectReferences {
    private ObjectReferences() {}

    /** An object of a type, in the namespace of the client. */
    static ObjectReference of(Class<?> type, String name) {
        CustomResource own = type.getAnnotation(CustomResource.class);
        if (own != null) {
            return new ObjectReference(
                    own.group() + "/" + own.version(), CustomTypes.kind(type, own), name, null, null);
        }
        if (HasMetadata.class.isAssignableFrom(type)) {
            Class<? extends HasMetadata> model = type.asSubclass(HasMetadata.class);
            return new ObjectReference(HasMetadata.getApiVersion(model), HasMetadata.getKind(model), name, null, null);
        }
        throw new IllegalArgumentException(type.getName() + " says of no resource that it is of it: give a type with"
                + " @CustomResource, or a model of fabric8");
    }

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
