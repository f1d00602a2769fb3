package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.resource.Resource;
import java.util.Set;

/**
 * The fields that nobody owns: type and identity of an object, and what the written endpoint resets. Follows
 * {@code pkg/util/managedfields/internal/stripmeta.go} of apimachinery and the GetResetFields of the strategies, v1.33.
 *
 * @param subresource the endpoint that is written through; empty for the object itself
 */
record IgnoredFields(Resource resource, String subresource) {
    private static final String METADATA = "f:metadata";
    private static final String SPEC = "f:spec";
    private static final String STATUS = "f:status";
    private static final Set<String> TYPE = Set.of("f:apiVersion", "f:kind");
    private static final Set<String> SERVER_METADATA = Set.of(
            "f:name",
            "f:namespace",
            "f:creationTimestamp",
            "f:selfLink",
            "f:uid",
            "f:generation",
            "f:managedFields",
            "f:resourceVersion",
            "f:deletionTimestamp",
            "f:deletionGracePeriodSeconds");

    /** Removes these fields from a set, in place. */
    void removeFrom(FieldSet set) {
        set.drop(this::contains);
        FieldSet metadata = set.children().get(METADATA);
        if (metadata != null) {
            metadata.removeMember();
            if (metadata.isEmpty()) {
                set.children().remove(METADATA);
            }
        }
    }

    private boolean contains(String top, String below) {
        return TYPE.contains(top)
                || (top.equals(METADATA) && SERVER_METADATA.contains(below))
                || (below.isEmpty() && isReset(top));
    }

    private boolean isReset(String top) {
        return switch (subresource) {
            case "" -> resource.hasStatus() && top.equals(STATUS);
            case "status" -> resource.isCustom() ? !top.equals(STATUS) : top.equals(SPEC);
            default -> false;
        };
    }
}
