package dev.kopf4j.engine.children.live;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a stream of children beside the handlers of the same resource, if there are any. Confined to the stream's task,
 * but for what the index guards.
 */
public final class ChildTap {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final ChildIndex index;
    private final ChildWatch watch;
    private final @Nullable String namespace;

    // Guarded by the index.
    private final Map<ChildName, LiveChild> children = new HashMap<>();
    private int list;

    /**
     * A tap that has seen nothing.
     *
     * @param namespace where the stream looks; null for everywhere
     */
    public ChildTap(ChildIndex index, ChildWatch watch, @Nullable String namespace) {
        this.index = index;
        this.watch = watch;
        this.namespace = namespace;
        index.begin(this);
    }

    /** What the stream is of. */
    public Resource resource() {
        return watch.resource();
    }

    ChildWatch watch() {
        return watch;
    }

    Map<ChildName, LiveChild> children() {
        return children;
    }

    /** The child of that name; null if none is known. */
    @Nullable LiveChild known(ObjectNode body) {
        return children.get(ChildName.of(body));
    }

    void put(LiveChild child) {
        children.put(ChildName.of(child), child);
    }

    int list() {
        return list;
    }

    boolean isFirstList() {
        return list == 1;
    }

    boolean covers(String other) {
        return namespace == null || namespace.equals(other);
    }

    /**
     * True if an earlier state comes late. Versions that a list brings count anew, as after a restored backup, unless
     * the newer one was seen or written since the list began.
     */
    boolean isStale(LiveChild known, ObjectNode body, boolean listed) {
        long version = LiveChild.version(body);
        boolean older = version >= 0 && known.version() >= 0 && version < known.version();
        return older && (!listed || known.list() == list);
    }

    /** The stream has ended for good. */
    public void end() {
        index.end(this);
    }

    /**
     * Hears the stream, and passes on what it hears.
     *
     * @param handled true if there are handlers of the objects themselves
     * @param listed run when all children are known
     */
    public ListAndWatchListener listener(ListAndWatchListener others, boolean handled, Runnable listed) {
        return new Listener(others, handled, listed);
    }

    private final class Listener implements ListAndWatchListener {
        private final ListAndWatchListener others;
        private final boolean handled;
        private final Runnable listed;

        Listener(ListAndWatchListener others, boolean handled, Runnable listed) {
            this.others = others;
            this.handled = handled;
            this.listed = listed;
        }

        @Override
        public void listStarted() throws InterruptedException {
            list++;
            others.listStarted();
        }

        @Override
        public void listed(ObjectNode object) throws InterruptedException {
            index.seen(ChildTap.this, complete(object), true);
            if (handled) {
                others.listed(object);
            }
        }

        @Override
        public void listComplete(String resourceVersion) throws InterruptedException {
            index.listed(ChildTap.this);
            listed.run();
            others.listComplete(resourceVersion);
        }

        @Override
        public void event(WatchEvent event) throws InterruptedException {
            ObjectNode object = complete(event.object());
            if (event.type() == WatchEvent.Type.DELETED) {
                index.gone(ChildTap.this, object);
            } else {
                index.seen(ChildTap.this, object, false);
            }
            if (handled) {
                others.event(event);
            }
        }

        @Override
        public void alive() {
            others.alive();
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            others.disturbed(reason, failure);
        }
    }

    /** Metadata alone comes under a kind of its own. */
    private ObjectNode complete(ObjectNode object) {
        if (!object.path("kind").asString("").equals(watch.resource().kind())) {
            object.put("kind", watch.resource().kind());
            object.put("apiVersion", watch.resource().apiVersion());
        }
        return object;
    }

    /** What is known of a child that vanished while nobody watched. */
    ObjectNode identity(LiveChild child) {
        ObjectNode body = Json.object();
        body.put("apiVersion", child.resource().apiVersion());
        body.put("kind", child.resource().kind());
        ObjectNode meta = body.putObject("metadata");
        meta.put("name", child.name());
        meta.put("uid", child.uid());
        if (child.namespace() != null) {
            meta.put("namespace", child.namespace());
        }
        return body;
    }

    /** The parents of a child: uids of owners, and {@link ParentKeys names} that handlers find. */
    List<String> parentKeys(ObjectNode body, Set<String> othersKinds) {
        List<String> keys = new ArrayList<>(1);
        if (watch.isByOwner()) {
            for (JsonNode owner : body.path("metadata").path("ownerReferences")) {
                String version = owner.path("apiVersion").asString("");
                int slash = version.indexOf('/');
                String kind = (slash < 0 ? "" : version.substring(0, slash)) + "/"
                        + owner.path("kind").asString("");
                if (!othersKinds.contains(kind)) {
                    keys.add(owner.path("uid").asString(""));
                }
            }
        }
        for (RegisteredHandler handler : watch.handlers()) {
            if (!handler.declaration().children().byOwner()) {
                String name = parentName(handler, body);
                if (name != null && !name.isEmpty()) {
                    keys.add(ParentKeys.named(
                            handler.id(),
                            name,
                            body.path("metadata").path("namespace").asString("")));
                }
            }
        }
        return keys;
    }

    private static @Nullable String parentName(RegisteredHandler handler, ObjectNode body) {
        ChildDeclaration declaration = handler.declaration().children();
        String label = declaration.parentLabel();
        if (label != null) {
            return body.path("metadata").path("labels").path(label).asString("");
        }
        try {
            Body child = new BodyView(body);
            return declaration.parentBy() == null
                    ? null
                    : declaration.parentBy().apply(child);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            log.error("{} could not find the parent of a child; it has none, as far as is known.", handler, e);
            return null;
        }
    }
}
