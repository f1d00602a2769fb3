package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of one resource as data. Immutable.
 *
 * @param names the plural, singular and short names, and the kind
 * @param namespaced whether objects live in namespaces
 * @param bucket the name of the store's bucket, the same for all versions and aliases
 * @param resourceTraits how it differs from most resources
 * @param custom what its definition says; null for built-in resources
 */
public record Resource(
        GroupVersion groupVersion,
        Names names,
        boolean namespaced,
        Endpoints endpoints,
        String bucket,
        ResourceTraits resourceTraits,
        @Nullable CustomKind custom) {

    /**
     * A version of a group.
     *
     * @param group empty for the core group
     */
    public record GroupVersion(String group, String version) {}

    /**
     * What can be asked of a resource.
     *
     * @param verbs in the order that discovery shows
     * @param subresources further endpoints below an object
     */
    public record Endpoints(List<String> verbs, List<Subresource> subresources) {}

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
     * How a built-in resource differs from most resources.
     *
     * @param nameRule how names are checked
     * @param words what is special, as {@code resources.json} names it
     * @param fields the fields that selectors may name, besides name and namespace
     * @param serverAssignedFields dotted paths of fields that the server sets itself, and that nobody owns; {@code []}
     *     is each element
     * @param deprecation the warning for all clients; empty if there is none
     */
    public record ResourceTraits(
            String nameRule,
            Set<String> words,
            Set<String> fields,
            List<String> serverAssignedFields,
            String deprecation) {
        /** The traits of custom resources. */
        public static final ResourceTraits CUSTOM =
                new ResourceTraits("subdomain", Set.of("conditionalUpdate", "generation"), Set.of(), List.of(), "");

        /** Whether PUT on a missing object creates it. */
        public boolean createOnUpdate() {
            return words.contains("createOnUpdate");
        }

        /** Whether PUT may leave the version out. */
        public boolean unconditionalUpdate() {
            return !words.contains("conditionalUpdate");
        }

        /** Whether DELETE answers with the object instead of a Status. */
        public boolean returnsDeleted() {
            return words.contains("returnsDeleted");
        }

        /** Whether {@code metadata.generation} counts changes of the spec. */
        public boolean generation() {
            return words.contains("generation");
        }

        /** Whether DELETE keeps the dependents, unless the client sets a policy. */
        public boolean orphansByDefault() {
            return words.contains("orphans");
        }

        /** Whether the server writes the user of the request into the spec of a new object. */
        public boolean recordsRequester() {
            return words.contains("asker");
        }
    }

    /** The group; empty for the core group. */
    public String group() {
        return groupVersion.group();
    }

    /** The version. */
    public String version() {
        return groupVersion.version();
    }

    /** The verbs, in the order that discovery shows. */
    public List<String> verbs() {
        return endpoints.verbs();
    }

    /** Further endpoints below an object. */
    public List<Subresource> subresources() {
        return endpoints.subresources();
    }

    /** The group and version in one. */
    public String apiVersion() {
        return group().isEmpty() ? version() : group() + "/" + version();
    }

    /** The plural name. */
    public String plural() {
        return names.plural();
    }

    /** The kind. */
    public String kind() {
        return names.kind();
    }

    /**
     * Whether admission policies are not asked about it, being policies or bindings themselves:
     * {@code pkg/kubeapiserver/admission/exclusion/resources.go}, v1.33.
     */
    public boolean isExemptFromPolicies() {
        return bucket.equals(Buckets.VALIDATING_ADMISSION_POLICIES)
                || bucket.equals(Buckets.VALIDATING_ADMISSION_POLICY_BINDINGS);
    }

    /** Whether a custom resource definition defines it. */
    public boolean isCustom() {
        return custom != null;
    }

    /** Whether its objects are stored in its version; built-in ones are stored without. */
    public boolean isStored() {
        return custom == null || custom.versions().storage().equals(version());
    }

    /** The deprecation warning; empty if there is none. */
    public String deprecation() {
        return custom != null ? custom.deprecation() : resourceTraits.deprecation();
    }

    /** The subject of failures that name the resource. */
    public StatusDetails subject(String name) {
        return new StatusDetails(group(), plural(), name);
    }

    /** The subject of failures that name the kind, which is that of the group where the objects come from. */
    public StatusDetails kindSubject(String name) {
        return new StatusDetails(bucket.equals("events") ? "" : group(), kind(), name);
    }

    /** A subresource by its name. */
    public Optional<Subresource> subresource(String name) {
        return subresources().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** Whether status is an endpoint of its own. */
    public boolean hasStatus() {
        return subresource("status").isPresent();
    }

    /** Whether it is the resource of namespaces. */
    public boolean isNamespace() {
        return qualified().equals("namespaces");
    }

    /** The same with the resource's group, as RBAC and CRDs name it. */
    public String qualified() {
        return group().isEmpty() ? plural() : plural() + "." + group();
    }
}
