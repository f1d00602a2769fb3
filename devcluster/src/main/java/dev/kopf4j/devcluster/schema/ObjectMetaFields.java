package dev.kopf4j.devcluster.schema;

import java.util.Set;

/** The fields of object metadata. */
public final class ObjectMetaFields {
    /** All of them. */
    public static final Set<String> NAMES = Set.of(
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private ObjectMetaFields() {}
}
