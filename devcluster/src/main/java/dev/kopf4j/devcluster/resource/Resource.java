package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of one resource as data. Immutable.
 *
 * @param group empty for the core group
 * @param names how it is called
 * @param namespaced whether objects live in namespaces
 * @param verbs in the order that discovery shows
 * @param subresources further endpoints below an object
 * @param bucket the name of the store's bucket, the same for all versions and aliases
 * @param resourceTraits how it differs from the usual
 * @param custom what its CRD says; null for built-in resources
 */
public record Resource(
        String group,
        String version,
        Names names,
        boolean namespaced,
        List<String> verbs,
        List<Subresource> subresources,
        String bucket,
        ResourceTraits resourceTraits,
        @Nullable CustomKind custom) {

    /** The names of a resource. */
    public record Names(
            String plural,
            String singular,
            String kind,
            String listKind,
            List<String> shortNames,
            List<String> categories) {}

    /** An endpoint below an object. */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}

    /**
     * What makes a built-in resource differ from the usual.
     *
     * @param nameRule how names are checked
     * @param createOnUpdate whether PUT on a missing object creates it
     * @param unconditionalUpdate whether PUT may leave the version out
     * @param returnsDeleted whether DELETE answers with the object instead of a Status
     * @param generation whether changes of the spec are counted
     * @param fields the fields that selectors may name, besides name and namespace
     * @param orphansByDefault whether DELETE keeps what the object owns, unless the client says something else
     * @param recordsRequester whether the spec of a new object tells who asked for it
     * @param serverAssignedFields dotted paths that the server fills in by itself, after it has noted who owns what;
     *     {@code []} is each element
     * @param deprecation words for every client of it, or empty
     */
    public record ResourceTraits(
            String nameRule,
            boolean createOnUpdate,
            boolean unconditionalUpdate,
            boolean returnsDeleted,
            boolean generation,
            Set<String> fields,
            boolean orphansByDefault,
            boolean recordsRequester,
            List<String> serverAssignedFields,
            String deprecation) {
        /** Of the custom resources. */
        public static final ResourceTraits CUSTOM =
                new ResourceTraits("subdomain", false, false, false, true, Set.of(), false, false, List.of(), "");
    }

    /** The group and version in one. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The plural name. */
    public String plural() {
        return names.plural();
    }

    /** The kind. */
    public String kind() {
        return names.kind();
    }

    /** Whether a CRD defines it. */
    public boolean isCustom() {
        return custom != null;
    }

    /** What clients are told about its future, or empty. */
    public String deprecation() {
        return custom != null ? custom.deprecation() : resourceTraits.deprecation();
    }

    /** The subject of failures that name the resource. */
    public StatusDetails subject(String name) {
        return new StatusDetails(group, plural(), name);
    }

    /** The subject of failures that name the kind. */
    public StatusDetails kindSubject(String name) {
        return new StatusDetails(group, kind(), name);
    }

    /** A subresource by its name. */
    public Optional<Subresource> subresource(String name) {
        return subresources.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** Whether status is an endpoint of its own. */
    public boolean hasStatus() {
        return subresource("status").isPresent();
    }

    /** Whether its objects are the namespaces. */
    public boolean isNamespace() {
        return qualified().equals("namespaces");
    }

    /** The same with the resource's group, as RBAC and CRDs name it. */
    public String qualified() {
        return group.isEmpty() ? plural() : plural() + "." + group;
    }
}
