package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Notices custom resource definitions that come, change, and go. Confined to its stream. */
public final class CrdObserver implements ListAndWatchListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Listener listener;
    private final DeclaredFields declaredFields;
    private final List<CrdState> listed = new ArrayList<>();
    private boolean warned;

    /** Tells of definitions, and compares them with the fields that handlers are for. */
    public CrdObserver(Listener listener, DeclaredFields declaredFields) {
        this.listener = listener;
        this.declaredFields = declaredFields;
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
        declaredFields.compareWith(object);
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
        boolean deleted = event.type() == WatchEvent.Type.DELETED;
        listener.expect(CrdState.of(event.object(), deleted));
        if (!deleted) {
            declaredFields.compareWith(event.object());
        }
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (failure instanceof ForbiddenException && !warned) {
            warned = true;
            log.warn(
                    "K4-002: Not enough permissions to watch for resources: new, changed and deleted definitions are not"
                            + " noticed until they are granted; they are asked for again and again.");
        }
    }

    /**
     * What the cluster is to serve by a custom resource definition. Immutable.
     *
     * @param group the API group of the resource
     * @param plural its name
     * @param isDeleted true if it is not to be served any more
     * @param isTerminating true if it is to be deleted as soon as none of its objects is left
     * @param versions in which versions it is to be served; none before the definition is established
     */
    record CrdState(String group, String plural, boolean isDeleted, boolean isTerminating, Set<String> versions) {
        /** What a definition says that exists, or that has just been deleted. */
        static CrdState of(JsonNode object, boolean isDeleted) {
            JsonNode spec = object.path("spec");
            return new CrdState(
                    spec.path("group").asString(""),
                    spec.path("names").path("plural").asString(""),
                    isDeleted,
                    !isDeleted && object.path("metadata").has("deletionTimestamp"),
                    isEstablished(object) ? served(spec) : Set.of());
        }

        private static boolean isEstablished(JsonNode object) {
            return !object.path("metadata").has("deletionTimestamp")
                    && object.path("status").path("conditions").valueStream().anyMatch(CrdState::saysEstablished);
        }

        private static boolean saysEstablished(JsonNode condition) {
            return condition.path("type").asString("").equals("Established")
                    && condition.path("status").asString("").equals("True");
        }

        private static Set<String> served(JsonNode spec) {
            return spec.path("versions")
                    .valueStream()
                    .filter(version -> version.path("served").asBoolean(false))
                    .map(version -> version.path("name").asString(""))
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** The name of the definition. */
        String name() {
            return name(plural, group);
        }

        /** The name of the definition of such a resource. */
        static String name(String plural, String group) {
            return plural + "." + group;
        }

        /** True if these are resources as they are to be served. */
        boolean isMetBy(Collection<Resource> resources) {
            Set<String> found = resources.stream()
                    .filter(resource ->
                            resource.group().equals(group) && resource.plural().equals(plural))
                    .map(Resource::version)
                    .collect(Collectors.toSet());
            return isDeleted ? found.isEmpty() : found.containsAll(versions);
        }
    }
}
