package dev.kopf4j.engine.observation;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Notices custom resource definitions that come, change, and go. Confined to its stream. */
public final class CrdObserver implements ListAndWatchListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Listener listener;
    private final List<CrdState> listed = new ArrayList<>();
    private boolean warned;

    public CrdObserver(Listener listener) {
        this.listener = listener;
    }

    /** Who is told of it. */
    interface Listener {
        /** The resources of a definition may have changed. */
        void expect(CrdState crdState);

        /** All definitions that there are have been told; what else is served may have changed too. */
        void allExpected();
    }

    @Override
    public void listStarted() {
        listed.clear();
    }

    @Override
    public void listed(ObjectNode object) {
        listed.add(CrdState.of(object, false));
    }

    @Override
    public void listComplete(String resourceVersion) {
        warned = false;
        // Also after the first list: a definition that came between the operator's first look and this list sends no
        // event.
        listed.forEach(listener::expect);
        listed.clear();
        listener.allExpected();
    }

    @Override
    public void event(WatchEvent event) {
        listener.expect(CrdState.of(event.object(), event.type() == WatchEvent.Type.DELETED));
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (failure instanceof ForbiddenException && !warned) {
            warned = true;
            log.warn("Not enough permissions to watch for resources: new, changed and deleted definitions are not"
                    + " noticed until they are granted; they are asked for again and again.");
        }
    }
}
