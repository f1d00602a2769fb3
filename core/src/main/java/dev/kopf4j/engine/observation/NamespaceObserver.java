package dev.kopf4j.engine.observation;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Notices namespaces that come and go, and picks those that match. Confined to its stream. */
public final class NamespaceObserver implements ListAndWatchListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final List<NamespacePattern> patterns;
    private final Listener listener;
    private final Set<String> found = new TreeSet<>();
    private final Set<String> listing = new TreeSet<>();
    private boolean warned;

    public NamespaceObserver(List<NamespacePattern> patterns, Listener listener) {
        this.patterns = patterns;
        this.listener = listener;
    }

    /** Is told of the namespaces. */
    public interface Listener {
        /** These namespaces match, and no others. */
        void found(Set<String> namespaces) throws InterruptedException;

        /** It cannot be known which namespaces there are. */
        void refused();
    }

    /**
     * True if all is gone that was in the namespace before this call: there is none of that name at this moment, or it
     * is empty and ends.
     */
    public static boolean isGone(KubernetesApi api, String name) throws InterruptedException {
        AtomicBoolean there = new AtomicBoolean();
        api.list(WellKnownResources.NAMESPACES, null, Narrowing.named(name), 0, new ListListener() {
            @Override
            public void item(ObjectNode namespace) {
                if (name.equals(name(namespace)) && !isEmptied(namespace)) {
                    there.set(true);
                }
            }

            @Override
            public void unreadable(UnreadableObject namespace) {
                there.set(true);
            }
        });
        return !there.get();
    }

    @Override
    public void listStarted() {
        listing.clear();
    }

    @Override
    public void listed(ObjectNode namespace) {
        String name = name(namespace);
        if (matches(name) && !isEmptied(namespace)) {
            listing.add(name);
        }
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        warned = false;
        found.clear();
        found.addAll(listing);
        listener.found(new TreeSet<>(found));
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        ObjectNode namespace = event.object();
        String name = name(namespace);
        boolean gone = event.type() == WatchEvent.Type.DELETED || isEmptied(namespace);
        boolean changed = gone ? found.remove(name) : matches(name) && found.add(name);
        if (changed) {
            listener.found(new TreeSet<>(found));
        }
    }

    /** The known namespaces stay watched, at least those given by their names. */
    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (failure instanceof ForbiddenException && !warned) {
            warned = true;
            log.warn(
                    "K4-001: Not enough permissions to list and watch namespaces: only those given by their names are served,"
                            + " whether they exist or not. Allow list and watch of namespaces to the operator's account: {}",
                    failure.getMessage());
            listener.refused();
        }
    }

    private boolean matches(String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }

    private static String name(ObjectNode namespace) {
        return namespace.path("metadata").path("name").asString("");
    }

    /** True if the namespace ends, and nothing is left in it. */
    private static boolean isEmptied(ObjectNode namespace) {
        // As long as it still has objects, this operator may have to release some of them.
        JsonNode conditions = namespace.path("status").path("conditions");
        return namespace.path("metadata").hasNonNull("deletionTimestamp")
                && !conditions.isEmpty()
                && conditions
                        .valueStream()
                        .noneMatch(each -> each.path("status").asString("").equals("True"));
    }
}
