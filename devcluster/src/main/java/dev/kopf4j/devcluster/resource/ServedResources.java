package dev.kopf4j.devcluster.resource;

import dev.kopf4j.text.ApiVersionOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** All resources that are served. Thread-safe: readers see one immutable table, which writers replace as a whole. */
public final class ServedResources {
    private volatile Map<String, Group> groups;

    /** One API group; versions in the order of preference. */
    public record Group(String name, boolean builtin, Map<String, List<Resource>> versions) {
        /** The resources of a version; none if it is not served. */
        public List<Resource> version(String version) {
            return versions.getOrDefault(version, List.of());
        }
    }

    /** The built-in resources. */
    public ServedResources(List<Resource> builtin) {
        Map<String, Group> table = new LinkedHashMap<>();
        for (Resource resource : builtin) {
            table.computeIfAbsent(resource.group(), name -> new Group(name, true, new LinkedHashMap<>()))
                    .versions()
                    .computeIfAbsent(resource.version(), version -> new ArrayList<>())
                    .add(resource);
        }
        groups = table;
    }

    /** All groups, built-in ones first. */
    public List<Group> groups() {
        return List.copyOf(groups.values());
    }

    /** A group by its name. */
    public Optional<Group> group(String name) {
        return Optional.ofNullable(groups.get(name));
    }

    /** A resource by its path. */
    public Optional<Resource> find(String group, String version, String plural) {
        return group(group).stream()
                .flatMap(found -> found.version(version).stream())
                .filter(resource -> resource.plural().equals(plural))
                .findFirst();
    }

    /** Whether a custom resource is still served as it is here; built-in ones are. */
    @SuppressWarnings("ReferenceEquality") // compared by identity: each change of a definition makes new ones
    public boolean serves(Resource resource) {
        return !resource.isCustom()
                || group(resource.group()).stream()
                        .flatMap(found -> found.version(resource.version()).stream())
                        .anyMatch(each -> each == resource);
    }

    /** A resource by its kind. */
    public Optional<Resource> findKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        return group(group).stream()
                .flatMap(found -> found.version(version).stream())
                .filter(resource -> resource.kind().equals(kind))
                .findFirst();
    }

    /** The resource of a bucket's objects: the stored version of a custom one if it is served, or the preferred one. */
    public Optional<Resource> findBucket(String bucket) {
        return resources().filter(resource -> resource.bucket().equals(bucket)).reduce(ServedResources::stored);
    }

    /** One resource for each bucket, as {@link #findBucket} has it. */
    public List<Resource> stored() {
        Map<String, Resource> byBucket = new LinkedHashMap<>();
        resources().forEach(resource -> byBucket.merge(resource.bucket(), resource, ServedResources::stored));
        return List.copyOf(byBucket.values());
    }

    private Stream<Resource> resources() {
        return groups.values().stream()
                .flatMap(group -> group.versions().values().stream())
                .flatMap(List::stream);
    }

    private static Resource stored(Resource preferred, Resource other) {
        return preferred.isStored() || !other.isStored() ? preferred : other;
    }

    /** Serves these versions of a custom resource in place of the former ones; none of them withdraws it. */
    public void serve(String group, String plural, List<Resource> versions) {
        change(table -> {
            Map<String, List<Resource>> merged = new LinkedHashMap<>();
            Group former = table.get(group);
            if (former != null) {
                former.versions().forEach((version, resources) -> merged.put(version, without(resources, plural)));
            }
            versions.forEach(resource -> merged.computeIfAbsent(resource.version(), key -> new ArrayList<>())
                    .add(resource));
            merged.values().removeIf(List::isEmpty);
            if (merged.isEmpty()) {
                table.remove(group);
            } else {
                table.put(group, new Group(group, former != null && former.builtin(), sorted(merged)));
            }
            return table;
        });
    }

    private static List<Resource> without(List<Resource> resources, String plural) {
        List<Resource> rest = new ArrayList<>(resources);
        rest.removeIf(resource -> resource.plural().equals(plural));
        return rest;
    }

    private static Map<String, List<Resource>> sorted(Map<String, List<Resource>> versions) {
        Map<String, List<Resource>> sorted = new LinkedHashMap<>();
        versions.keySet().stream()
                .sorted(ApiVersionOrder.PREFERRED_FIRST)
                .forEach(version -> sorted.put(version, Objects.requireNonNull(versions.get(version))));
        return sorted;
    }

    private synchronized void change(UnaryOperator<Map<String, Group>> edit) {
        groups = edit.apply(new LinkedHashMap<>(groups));
    }
}
