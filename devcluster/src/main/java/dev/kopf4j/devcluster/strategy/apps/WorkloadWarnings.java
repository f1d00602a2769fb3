package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;

/**
 * Warnings about workloads whose pods have names that begin with theirs: {@code WarningsOnCreate} in
 * {@code pkg/registry/apps/deployment/strategy.go} and {@code pkg/registry/apps/replicaset/strategy.go}, v1.33. Pure.
 */
final class WorkloadWarnings {
    private WorkloadWarnings() {}

    static List<String> ofNameAndTemplate(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
        warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
        return warnings;
    }
}
