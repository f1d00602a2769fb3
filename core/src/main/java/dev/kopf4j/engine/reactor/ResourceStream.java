package dev.kopf4j.engine.reactor;

import dev.kopf4j.Resource;
import dev.kopf4j.client.WatchLoop;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;

/** The stream of one resource in one namespace or in the whole cluster, with everything behind it. Thread-safe. */
final class ResourceStream {
    private final Resource resource;
    private final ResourceReactor reactor;
    private final StreamHealth health;
    private final Task task;

    private ResourceStream(Resource resource, ResourceReactor reactor, StreamHealth health, Task task) {
        this.resource = resource;
        this.reactor = reactor;
        this.health = health;
        this.task = task;
    }

    static ResourceStream start(
            Platform platform,
            Resource resource,
            @Nullable String namespace,
            WatchLoop loop,
            ResourceReactor reactor,
            StreamHealth health) {
        Task task = platform.spawn("stream of " + title(resource, namespace), () -> loop.run(reactor));
        return new ResourceStream(resource, reactor, health, task);
    }

    static String title(Resource resource, @Nullable String namespace) {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }

    Resource resource() {
        return resource;
    }

    StreamHealth health() {
        return health;
    }

    /** Ends the stream at once, and its work by the deadline. */
    void stop(Deadline deadline) throws InterruptedException {
        task.interrupt();
        reactor.stop(deadline);
        task.join(deadline);
    }
}
