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

        /**
         * All definitions that there are have been told; what else is served may have changed too.
         *
         * @param names the names of all definitions
         */
        void allExpected(Set<String> names);
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
        Set<String> names = listed.stream().map(CrdState::name).collect(Collectors.toUnmodifiableSet());
        listed.clear();
        listener.allExpected(names);
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
     * @param stage how far the definition has come
     * @param served what is to be served; nothing before the definition is established
     */
    record CrdState(String group, String plural, Stage stage, Set<ServedVersion> served) {
        /** What a definition says that exists, or that has just been deleted. */
        static CrdState of(JsonNode object, boolean isDeleted) {
            JsonNode spec = object.path("spec");
            Stage stage = isDeleted ? Stage.DELETED : Stage.of(object);
            return new CrdState(
                    spec.path("group").asString(""),
                    spec.path("names").path("plural").asString(""),
                    stage,
                    stage == Stage.ESTABLISHED ? ServedVersion.of(object) : Set.of());
        }

        /** The name of the definition. */
        String name() {
            return name(plural, group);
        }

        /** The name of the definition of such a resource. */
        static String name(String plural, String group) {
            return plural + "." + group;
        }

        /** True if it is to be deleted as soon as none of its objects is left. */
        boolean isTerminating() {
            return stage == Stage.TERMINATING;
        }

        /** True if this version is to be served. */
        boolean serves(String version) {
            return served.stream().anyMatch(each -> each.version().equals(version));
        }

        /** What is to be served once it was deleted. */
        CrdState deleted() {
            return new CrdState(group, plural, Stage.DELETED, Set.of());
        }

        /** True if these resources of the definition are exactly what is to be served. */
        boolean isMetBy(Collection<Resource> resources) {
            return isServedBy(resources)
                    && (stage != Stage.ESTABLISHED || resources.stream().allMatch(this::describes));
        }

        /** True if the resource is to be served in its version, and as it is. */
        boolean describes(Resource resource) {
            return served.stream().anyMatch(each -> each.isMetBy(resource));
        }

        /** True if all versions are among these resources of the definition, whatever is known of them. */
        boolean isServedBy(Collection<Resource> resources) {
            Set<String> versions = resources.stream().map(Resource::version).collect(Collectors.toSet());
            return stage == Stage.DELETED
                    ? versions.isEmpty()
                    : served.stream().map(ServedVersion::version).allMatch(versions::contains);
        }

        /** How far a definition has come. */
        enum Stage {
            /** It is not served yet. */
            NEW,
            ESTABLISHED,
            /** It is to be deleted as soon as none of its objects is left. */
            TERMINATING,
            DELETED;

            private static Stage of(JsonNode object) {
                if (object.path("metadata").has("deletionTimestamp")) {
                    return TERMINATING;
                }
                return object.path("status").path("conditions").valueStream().anyMatch(Stage::saysEstablished)
                        ? ESTABLISHED
                        : NEW;
            }

            private static boolean saysEstablished(JsonNode condition) {
                return condition.path("type").asString("").equals("Established")
                        && condition.path("status").asString("").equals("True");
            }
        }

        /**
         * What discovery is to tell of one version. Immutable.
         *
         * @param kind the kind; empty if the definition does not tell
         * @param scope {@code Namespaced} or {@code Cluster}; empty if the definition does not tell
         * @param subresources those that a definition can have
         */
        record ServedVersion(
                String version,
                String kind,
                String scope,
                Set<String> shortNames,
                Set<String> categories,
                Set<String> subresources) {
            private static final Set<String> POSSIBLE_SUBRESOURCES = Set.of("status", "scale");

            /** The served versions of a definition. */
            static Set<ServedVersion> of(JsonNode object) {
                JsonNode spec = object.path("spec");
                // Other definitions may have taken some of the wanted names.
                JsonNode accepted = object.path("status").path("acceptedNames");
                JsonNode names = accepted.path("plural").asString("").isEmpty() ? spec.path("names") : accepted;
                return spec.path("versions")
                        .valueStream()
                        .filter(version -> version.path("served").asBoolean(false))
                        .map(version -> new ServedVersion(
                                version.path("name").asString(""),
                                names.path("kind").asString(""),
                                spec.path("scope").asString(""),
                                texts(names.path("shortNames")),
                                texts(names.path("categories")),
                                POSSIBLE_SUBRESOURCES.stream()
                                        .filter(version.path("subresources")::hasNonNull)
                                        .collect(Collectors.toUnmodifiableSet())))
                        .collect(Collectors.toUnmodifiableSet());
            }

            private static Set<String> texts(JsonNode array) {
                return array.valueStream().map(text -> text.asString("")).collect(Collectors.toUnmodifiableSet());
            }

            boolean isMetBy(Resource resource) {
                Set<String> found = resource.subresources().stream()
                        .filter(POSSIBLE_SUBRESOURCES::contains)
                        .collect(Collectors.toSet());
                return version.equals(resource.version())
                        && (kind.isEmpty() || kind.equals(resource.kind()))
                        && (scope.isEmpty() || scope.equals("Namespaced") == resource.namespaced())
                        && shortNames.equals(resource.shortNames())
                        && categories.equals(resource.categories())
                        && subresources.equals(found);
            }
        }
    }
}
