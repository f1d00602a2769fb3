package dev.kopf4j.fabric8;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Selects the resource that a model class stands for, as fabric8's annotations on it say. Thread-safe. */
final class ModelSelector {
    private ModelSelector() {}

    /** Empty for parts of objects, and for models of any resource. */
    static Optional<ResourceSelector> of(Class<?> model) {
        if (!HasMetadata.class.isAssignableFrom(model) || GenericKubernetesResource.class.isAssignableFrom(model)) {
            return Optional.empty();
        }
        String version = HasMetadata.getVersion(model);
        if (version == null) {
            throw new HandlerDeclarationException("model class " + model.getName()
                    + " does not say which resource it stands for: annotate it with fabric8's @Group and @Version");
        }
        String group = HasMetadata.getGroup(model);
        String kind = HasMetadata.getKind(model);
        return Optional.of(ResourceSelector.ofKind(kind)
                .inGroup(group == null ? "" : group)
                .inVersion(version));
    }
}
