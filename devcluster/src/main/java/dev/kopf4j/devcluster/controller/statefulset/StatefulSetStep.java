package dev.kopf4j.devcluster.controller.statefulset;

/** What a stateful set does next. */
sealed interface StatefulSetStep {
    /** Creates the pod of an ordinal, with its claims, from the template of a revision. */
    record Create(long ordinal, String revision) implements StatefulSetStep {}

    /** Makes sure that a pod that cannot run yet has its claims. */
    record Claims(long ordinal) implements StatefulSetStep {}

    /** Deletes a pod. */
    record Delete(long ordinal) implements StatefulSetStep {}
}
