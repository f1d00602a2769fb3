package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.storage.StoredObject;

/** An object that a controller has to look at, by its place. */
public record WorkItem(WorkloadKind kind, String namespace, String name) {
    /** The place of an object. */
    public static WorkItem of(WorkloadKind kind, StoredObject object) {
        return new WorkItem(kind, object.namespace(), object.name());
    }
}
