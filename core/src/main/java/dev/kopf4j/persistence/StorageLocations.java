package dev.kopf4j.persistence;

import dev.kopf4j.DiffBaseStore;
import dev.kopf4j.ProgressStore;
import dev.kopf4j.json.FieldPath;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The annotations and status fields of objects in which the chosen storages keep their state. Immutable.
 *
 * @param prefixes the prefixes of their annotations
 * @param fields their fields of the status
 */
public record StorageLocations(Set<String> prefixes, Set<FieldPath> fields) {
    /** Copies the sets. */
    public StorageLocations {
        prefixes = Set.copyOf(prefixes);
        fields = Set.copyOf(fields);
    }

    /**
     * Returns the locations of both storages. Those of custom storages are unknown.
     *
     * @param prefix the prefix of annotations where a choice names none
     */
    public static StorageLocations of(ProgressStore progress, DiffBaseStore diffBase, String prefix) {
        Collected collected = new Collected(prefix);
        collected.add(progress);
        collected.add(diffBase);
        return new StorageLocations(collected.prefixes, collected.fields);
    }

    /** Those and one more prefix of annotations. */
    public StorageLocations with(String prefix) {
        Set<String> more = new HashSet<>(prefixes);
        more.add(prefix);
        return new StorageLocations(more, fields);
    }

    /** True if the annotation belongs to one of the storages. */
    public boolean includes(String annotation) {
        return prefixes.stream().anyMatch(prefix -> annotation.startsWith(prefix + "/"));
    }

    /** Collects the locations of nested choices. */
    private static final class Collected {
        private final String prefix;
        private final Set<String> prefixes = new HashSet<>();
        private final Set<FieldPath> fields = new HashSet<>();

        Collected(String prefix) {
            this.prefix = prefix;
        }

        void add(ProgressStore choice) {
            switch (choice) {
                case ProgressStore.Annotations annotations -> prefixes.add(chosen(annotations.prefix()));
                case ProgressStore.Status status -> {
                    fields.add(new FieldPath(status.field()));
                    fields.add(new FieldPath(status.touchField()));
                }
                case ProgressStore.Smart smart -> {
                    add(smart.annotations());
                    add(smart.status());
                }
                case ProgressStore.Multi multi -> multi.stores().forEach(this::add);
                case ProgressStore.Custom custom -> {}
            }
        }

        void add(DiffBaseStore choice) {
            switch (choice) {
                case DiffBaseStore.Annotations annotations -> prefixes.add(chosen(annotations.prefix()));
                case DiffBaseStore.Status status -> fields.add(new FieldPath(status.field()));
                case DiffBaseStore.Multi multi -> multi.stores().forEach(this::add);
                case DiffBaseStore.Custom custom -> {}
            }
        }

        private String chosen(@Nullable String own) {
            return own == null ? prefix : own;
        }
    }
}
