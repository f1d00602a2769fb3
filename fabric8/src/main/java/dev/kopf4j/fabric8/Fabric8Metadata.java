package dev.kopf4j.fabric8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads and changes the metadata of objects, and of templates inside objects. */
final class Fabric8Metadata {
    private Fabric8Metadata() {}

    static void change(Object model, Consumer<Map<String, @Nullable Object>> change) {
        switch (model) {
            case HasMetadata object -> change(object::getMetadata, object::setMetadata, change);
            case PodTemplateSpec template -> change(template::getMetadata, template::setMetadata, change);
            case JobTemplateSpec template -> change(template::getMetadata, template::setMetadata, change);
            case PersistentVolumeClaimTemplate template -> change(template::getMetadata, template::setMetadata, change);
            case ObjectNode tree -> change(tree, change);
            default ->
                throw new IllegalArgumentException("a " + model.getClass().getSimpleName()
                        + " has no metadata; objects have it, and templates such as that at spec.template");
        }
    }

    private static void change(ObjectNode tree, Consumer<Map<String, @Nullable Object>> change) {
        JsonNode present = tree.get("metadata");
        Map<String, @Nullable Object> map =
                present instanceof ObjectNode object ? Fabric8Models.toMap(object) : new HashMap<>();
        change.accept(map);
        tree.set("metadata", Fabric8Models.fromMap(map, ObjectNode.class));
    }

    private static void change(
            Supplier<@Nullable ObjectMeta> getter,
            Consumer<ObjectMeta> setter,
            Consumer<Map<String, @Nullable Object>> change) {
        ObjectMeta present = getter.get();
        Map<String, @Nullable Object> map = present == null ? new HashMap<>() : Fabric8Models.toMap(present);
        change.accept(map);
        setter.accept(Fabric8Models.fromMap(map, ObjectMeta.class));
    }
}
