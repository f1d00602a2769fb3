package dev.kopf4j.engine.reactor;

import dev.kopf4j.client.ForbiddenException;
import dev.kopf4j.client.StreamListener;
import dev.kopf4j.client.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Notices custom resource definitions that come, change, and go. Confined to its stream. */
final class CrdObserver implements StreamListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Rescan rescan;
    private boolean warned;

    CrdObserver(Rescan rescan) {
        this.rescan = rescan;
    }

    /** What is done about it. */
    @FunctionalInterface
    interface Rescan {
        /** The resources of a group may have changed; of all groups if it is null. */
        void run(@Nullable String group);
    }

    @Override
    public void listed(ObjectNode object) {
        // One by one they are of no interest: all are looked at together, below.
    }

    @Override
    public void listComplete(String resourceVersion) {
        // Also the first time: what has come since the operator's first look, and before this list, sends no event.
        rescan.run(null);
    }

    @Override
    public void event(WatchEvent event) {
        rescan.run(event.object().path("spec").path("group").asString(""));
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (failure instanceof ForbiddenException && !warned) {
            warned = true;
            log.warn("Not enough permissions to watch for resources: changes (creation/deletion/updates) will not be"
                    + " noticed; the resources are only refreshed on operator restarts.");
        }
    }
}
