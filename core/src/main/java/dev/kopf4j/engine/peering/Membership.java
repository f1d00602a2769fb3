package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.client.stream.WatchLoop;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.pausing.Pauses;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operator's part in one peering object, from joining to leaving. Thread-safe. */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final KubernetesApi api;
    private final Place place;
    private final Self self;
    private final Pauses.Toggle toggle;
    private final List<Task> tasks;

    private Membership(KubernetesApi api, Place place, Self self, Pauses.Toggle toggle, List<Task> tasks) {
        this.api = api;
        this.place = place;
        this.self = self;
        this.toggle = toggle;
        this.tasks = tasks;
    }

    static Membership join(
            Platform platform,
            KubernetesApi api,
            WatchLoop loop,
            Place place,
            Self self,
            PeerObserver observer,
            Pauses.Toggle toggle,
            boolean stealth) {
        KeepAlive keepAlive = new KeepAlive(platform, api, place, self, stealth);
        List<Task> tasks = List.of(
                platform.spawn("keep-alive in " + place, keepAlive),
                platform.spawn("peers in " + place, observer),
                platform.spawn("stream of peering " + place, () -> loop.run(observer)));
        return new Membership(api, place, self, toggle, tasks);
    }

    /** Says goodbye, in a short time or never: the record loses its meaning by itself. */
    void leave() throws InterruptedException {
        tasks.forEach(Task::interrupt);
        for (Task task : tasks) {
            task.join(Deadline.NEVER);
        }
        toggle.resume();
        NetworkSettings hasty = api.settings().withErrorBackoffs().withRequestTimeout(FAREWELL);
        try {
            place.patch(api.with(hasty), self.gone());
        } catch (NotFoundException e) {
            log.debug("There is no peering object {} to leave.", place);
        } catch (ClientException e) {
            log.warn("Couldn't remove self from the peering {}. Ignoring. {}", place, e.getMessage());
        }
    }
}
