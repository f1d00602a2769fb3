package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives signs of life in a peering object, a few seconds before the last one loses its meaning. Confined to its task.
 */
final class PeeringKeepAlive implements Runnable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final Platform platform;
    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final OwnPeerRecord ownPeerRecord;
    private final boolean stealth;

    PeeringKeepAlive(
            Platform platform,
            KubernetesApi api,
            PeeringObject peeringObject,
            OwnPeerRecord ownPeerRecord,
            boolean stealth) {
        this.platform = platform;
        this.api = api;
        this.peeringObject = peeringObject;
        this.ownPeerRecord = ownPeerRecord;
        this.stealth = stealth;
    }

    @Override
    public void run() {
        try {
            while (true) {
                give();
                platform.sleep(pause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void give() throws InterruptedException {
        try {
            peeringObject.patch(api, ownPeerRecord.alive(platform.now()));
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
        long lifetime = ownPeerRecord.lifetime().toSeconds();
        long early = Math.max(1, lifetime - platform.random().nextInt(5, 11));
        return Duration.ofSeconds(Math.max(1, Math.min(lifetime, early)));
    }
}
