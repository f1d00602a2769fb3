package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's part in one peering object, from joining to leaving: it gives signs of life, a few seconds before the
 * last one loses its meaning, and has the {@link PeerObserver} heed those of others. Thread-safe.
 */
final class PeeringMembership {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final Platform platform;
    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final Peer.Self self;
    private final boolean stealth;
    private final PeerObserver observer;
    private volatile List<Task> tasks = List.of();

    /**
     * Not joined yet.
     *
     * @param stealth true to not log each sign of life
     */
    PeeringMembership(
            Platform platform,
            KubernetesApi api,
            PeeringObject peeringObject,
            Peer.Self self,
            boolean stealth,
            PeerObserver observer) {
        this.platform = platform;
        this.api = api;
        this.peeringObject = peeringObject;
        this.self = self;
        this.stealth = stealth;
        this.observer = observer;
    }

    /** Takes part from now on. */
    void join(ListAndWatchLoop loop) {
        tasks = List.of(
                platform.spawn("keep-alive in " + peeringObject, this::keepAlive),
                platform.spawn("peers in " + peeringObject, observer),
                platform.spawn("stream of peering " + peeringObject, () -> loop.run(observer)));
    }

    private void keepAlive() {
        try {
            while (true) {
                giveSign();
                platform.sleep(pause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveSign() throws InterruptedException {
        try {
            peeringObject.patch(api, self.alive(platform.now()));
            if (!stealth) {
                log.debug("Keep-alive in {}: ok.", peeringObject);
            }
        } catch (NotFoundException e) {
            log.debug("Keep-alive in {}: not found.", peeringObject);
        } catch (ClientException e) {
            log.warn("Keep-alive in {} has failed, and will be repeated: {}", peeringObject, e.getMessage());
        }
    }

    private Duration pause() {
        long lifetime = self.lifetime().toSeconds();
        long early = Math.max(1, lifetime - platform.random().nextInt(5, 11));
        return Duration.ofSeconds(Math.max(1, Math.min(lifetime, early)));
    }

    /** Removes the own record, with one quick attempt: otherwise the record expires by itself. */
    void leave() throws InterruptedException {
        tasks.forEach(Task::interrupt);
        for (Task task : tasks) {
            task.join(Deadline.NEVER);
        }
        observer.leave();
        NetworkSettings hasty = api.settings().withErrorBackoffs().withRequestTimeout(FAREWELL);
        try {
            peeringObject.patch(api.with(hasty), self.gone());
        } catch (NotFoundException e) {
            log.debug("There is no peering object {} to leave.", peeringObject);
        } catch (ClientException e) {
            log.warn("Couldn't remove self from the peering {}. Ignoring. {}", peeringObject, e.getMessage());
        }
    }
}
