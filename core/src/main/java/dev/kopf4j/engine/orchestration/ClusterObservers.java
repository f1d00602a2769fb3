package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.client.watching.WatchingSettings;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.util.ArrayList;
import java.util.List;

/**
 * The tasks that observe what the cluster serves and which namespaces exist. Confined to the orchestrator's start and
 * stop.
 */
final class ClusterObservers {
    private final Platform platform;
    private final KubernetesApi api;
    private final WatchingSettings settings;
    private final List<Task> tasks = new ArrayList<>();

    ClusterObservers(Platform platform, KubernetesApi api, WatchingSettings settings) {
        this.platform = platform;
        this.api = api;
        this.settings = settings;
    }

    /** Runs an observer in a task of its own. */
    void spawn(String name, Runnable observer) {
        tasks.add(platform.spawn(name, observer));
    }

    /** Lets an observer follow all objects of a resource. */
    void watch(Resource resource, ListAndWatchListener observer) {
        ListAndWatchLoop loop = new ListAndWatchLoop(platform, api, resource, null, settings);
        spawn("stream of " + resource, () -> loop.run(observer));
    }

    void stop() {
        tasks.forEach(Task::interrupt);
    }
}
