package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operator's part in one peering object, from joining to leaving. Thread-safe. */
final class PeeringMembership {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final OwnPeerRecord ownPeerRecord;
    private final OperatorPauses.Toggle toggle;
    private final List<Task> tasks;

    private PeeringMembership(
            KubernetesApi api,
            PeeringObject peeringObject,
            OwnPeerRecord ownPeerRecord,
            OperatorPauses.Toggle toggle,
            List<Task> tasks) {
        this.api = api;
        this.peeringObject = peeringObject;
        this.ownPeerRecord = ownPeerRecord;
        this.toggle = toggle;
        this.tasks = tasks;
    }

    static PeeringMembership join(
            Platform platform,
            KubernetesApi api,
            ListAndWatchLoop loop,
            PeeringObject peeringObject,
            OwnPeerRecord ownPeerRecord,
            PeerObserver observer,
            OperatorPauses.Toggle toggle,
            boolean stealth) {
        PeeringKeepAlive peeringKeepAlive = new PeeringKeepAlive(platform, api, peeringObject, ownPeerRecord, stealth);
        List<Task> tasks = List.of(
                platform.spawn("keep-alive in " + peeringObject, peeringKeepAlive),
                platform.spawn("peers in " + peeringObject, observer),
                platform.spawn("stream of peering " + peeringObject, () -> loop.run(observer)));
        return new PeeringMembership(api, peeringObject, ownPeerRecord, toggle, tasks);
    }

    /** Removes the own record, with one quick attempt: otherwise the record expires by itself. */
    void leave() throws InterruptedException {
        tasks.forEach(Task::interrupt);
        for (Task task : tasks) {
            task.join(Deadline.NEVER);
        }
        toggle.resume();
        NetworkSettings hasty = api.settings().withErrorBackoffs().withRequestTimeout(FAREWELL);
        try {
            peeringObject.patch(api.with(hasty), ownPeerRecord.gone());
        } catch (NotFoundException e) {
            log.debug("There is no peering object {} to leave.", peeringObject);
        } catch (ClientException e) {
            log.warn("Couldn't remove self from the peering {}. Ignoring. {}", peeringObject, e.getMessage());
        }
    }
}
