package dev.kopf4j.engine.maintenance;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import java.util.List;

/**
 * Reads the objects that an operator has handlers for, page by page. Children are not among them: the operator leaves
 * nothing on them.
 *
 * @param api the way to the cluster
 * @param streams what the operator would watch for its handlers
 * @param pageSize how many objects are read at a time
 */
record ObjectLister(KubernetesApi api, List<PlannedStream> streams, int pageSize) {
    static ObjectLister of(ClusterSurvey survey, ClusterSurvey.Found found) {
        List<PlannedStream> streams = survey.watchPlan().streams(found.served(), found.namespaces()).stream()
                .filter(stream -> !stream.handlers().isEmpty())
                .toList();
        return new ObjectLister(
                found.api(), streams, survey.settings().watching().pageSize());
    }

    /** Hands over the objects of the chosen streams. */
    void each(Choice choice, Use use) throws InterruptedException {
        for (PlannedStream stream : streams) {
            if (choice.includes(stream)) {
                api.list(
                        stream.resource(),
                        stream.namespace(),
                        pageSize,
                        body -> use.of(new FoundObject(stream.resource(), body)));
            }
        }
    }

    /** Chooses among the streams. */
    @FunctionalInterface
    interface Choice {
        boolean includes(PlannedStream stream) throws InterruptedException;
    }

    /** Does something with an object. */
    @FunctionalInterface
    interface Use {
        void of(FoundObject object) throws InterruptedException;
    }
}
