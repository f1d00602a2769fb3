package dev.kopf4j.persistence;

import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotations and status fields of objects in which the chosen storages keep their state; so they tell which part
 * of a patch is the framework's: progress, the last-handled state, the finalizer. This part has to be written even if
 * the server refuses the changes of handlers. Immutable.
 *
 * @param prefixes the prefixes of their annotations
 * @param fields their fields of the status
 */
public record StorageLocations(Set<String> prefixes, Set<FieldPath> fields) {
    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");

    /** Copies the sets. */
    public StorageLocations {
        prefixes = Set.copyOf(prefixes);
        fields = Collections.unmodifiableSet(new LinkedHashSet<>(fields));
    }

    /**
     * Returns the locations of both storages. Those of custom storages are unknown.
     *
     * @param prefix the prefix of annotations where a choice names none
     */
    public static StorageLocations of(ProgressStorage progress, DiffBaseStorage diffBase, String prefix) {
        Collected collected = new Collected(prefix);
        collected.add(progress);
        collected.add(diffBase);
        return new StorageLocations(collected.prefixes, collected.fields);
    }

    /** The fields of the status that hold what is stored nowhere else: a schema without them drops it. */
    public static StorageLocations ofStatusOnly(ProgressStorage progress, DiffBaseStorage diffBase) {
        Set<FieldPath> fields = new HashSet<>();
        if (progress instanceof ProgressStorage.Status status) {
            fields.add(new FieldPath(status.field()));
        }
        if (diffBase instanceof DiffBaseStorage.Status status) {
            fields.add(new FieldPath(status.field()));
        }
        return new StorageLocations(Set.of(), fields);
    }

    /** Those and more prefixes of annotations. */
    public StorageLocations with(Collection<String> others) {
        Set<String> more = new HashSet<>(prefixes);
        more.addAll(others);
        return new StorageLocations(more, fields);
    }

    /** True if the annotation belongs to one of the storages. */
    public boolean includes(String annotation) {
        return prefixes.stream().anyMatch(prefix -> annotation.startsWith(prefix + "/"));
    }

    /** The framework's part of a patch. Shares no nodes of the merge patch with it: either may be changed. */
    public PatchContent frameworkPart(PatchContent patch) {
        PatchContent own = new PatchContent();
        JsonNode all = ANNOTATIONS.resolve(patch.merge());
        if (all instanceof ObjectNode texts) {
            texts.properties().stream()
                    .filter(entry -> includes(entry.getKey()))
                    .forEach(entry -> ANNOTATIONS
                            .append(entry.getKey())
                            .ensure(own.merge(), entry.getValue().deepCopy()));
        }
        fields.forEach(field -> copy(field, patch, own));
        patch.transformations().stream()
                .filter(PatchTransformation::isFrameworkPatch)
                .forEach(own::transform);
        return own;
    }

    /** True if the patch changes nothing but the framework's part and the status. */
    public boolean coversAllButStatus(PatchContent patch) {
        return patch.transformations().stream().allMatch(PatchTransformation::isFrameworkPatch)
                && patch.merge().properties().stream()
                        .allMatch(stanza -> stanza.getKey().equals("status")
                                || (stanza.getKey().equals("metadata") && isOwn(stanza.getValue())));
    }

    private boolean isOwn(JsonNode metadata) {
        return metadata.properties().stream()
                .allMatch(entry -> entry.getKey().equals("annotations")
                        && entry.getValue().propertyNames().stream().allMatch(this::includes));
    }

    /**
     * Makes the framework's merge part a transformation, so that it is sent together with the others of the framework
     * or not at all.
     */
    public void moveIntoTransformation(PatchContent patch) {
        ObjectNode own = frameworkPart(patch).merge();
        if (!own.isEmpty()) {
            MergePatch.remove(own, patch.merge());
            patch.transform(PatchTransformation.frameworkPatch(body -> {
                ObjectNode merged = MergePatch.apply(body.deepCopy(), own);
                body.removeAll();
                body.setAll(merged);
            }));
        }
    }

    private static void copy(FieldPath field, PatchContent patch, PatchContent own) {
        JsonNode value = field.find(patch.merge());
        if (value != null) {
            field.ensure(own.merge(), value.deepCopy());
        }
    }

    /** Collects the locations of nested choices. */
    private static final class Collected {
        private final String prefix;
        private final Set<String> prefixes = new HashSet<>();
        private final Set<FieldPath> fields = new HashSet<>();

        Collected(String prefix) {
            this.prefix = prefix;
        }

        void add(ProgressStorage choice) {
            switch (choice) {
                case ProgressStorage.Annotations annotations -> prefixes.add(chosen(annotations.prefix()));
                case ProgressStorage.Status status -> {
                    fields.add(new FieldPath(status.field()));
                    fields.add(new FieldPath(status.touchField()));
                }
                case ProgressStorage.Smart smart -> {
                    add(smart.annotations());
                    add(smart.status());
                }
                case ProgressStorage.Multi multi -> multi.storages().forEach(this::add);
                case ProgressStorage.Custom custom -> {}
            }
        }

        void add(DiffBaseStorage choice) {
            switch (choice) {
                case DiffBaseStorage.Annotations annotations -> prefixes.add(chosen(annotations.prefix()));
                case DiffBaseStorage.Status status -> fields.add(new FieldPath(status.field()));
                case DiffBaseStorage.Multi multi -> multi.storages().forEach(this::add);
                case DiffBaseStorage.Custom custom -> {}
            }
        }

        private String chosen(@Nullable String own) {
            return own == null ? prefix : own;
        }
    }
}
