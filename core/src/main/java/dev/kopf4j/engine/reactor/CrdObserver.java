package dev.kopf4j.engine.reactor;

import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.stream.StreamListener;
import dev.kopf4j.client.watch.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Notices custom resource definitions that come, change, and go. Confined to its stream. */
final class CrdObserver implements StreamListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Notice notice;
    private final List<Definition> listed = new ArrayList<>();
    private boolean warned;

    CrdObserver(Notice notice) {
        this.notice = notice;
    }

    /** Who is told of it. */
    interface Notice {
        /** The resources of a definition may have changed. */
        void expect(Definition definition);

        /** The resources of a group may have changed; of all groups if it is null. */
        void request(@Nullable String group);
    }

    @Override
    public void listStarted() {
        listed.clear();
    }

    @Override
    public void listed(ObjectNode object) {
        listed.add(Definition.of(object, false));
    }

    @Override
    public void listComplete(String resourceVersion) {
        // Also the first time: what has come since the operator's first look, and before this list, sends no event.
        listed.forEach(notice::expect);
        listed.clear();
        notice.request(null);
    }

    @Override
    public void event(WatchEvent event) {
        notice.expect(Definition.of(event.object(), event.type() == WatchEvent.Type.DELETED));
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
