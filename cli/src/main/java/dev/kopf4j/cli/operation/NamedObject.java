package dev.kopf4j.cli.operation;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.api.WatchStream.WatchOptions;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object that somebody names as kubectl does. Immutable.
 *
 * @param resource its resource
 * @param namespace its namespace; null if it is in none
 * @param name its name
 */
public record NamedObject(Resource resource, @Nullable String namespace, String name) {
    private static final int PAGE = 500;
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final Duration BETWEEN_WATCHES = Duration.ofSeconds(1);

    /**
     * The object that is meant by {@code KIND/NAME}.
     *
     * @param namespace the namespace that was given; null for that of the credentials
     */
    public static NamedObject of(KubernetesApi api, String text, @Nullable String namespace)
            throws InterruptedException {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1 || slash != text.lastIndexOf('/')) {
            throw CommandException.usage("'" + text
                    + "' names no object: write KIND/NAME, as in kopfexamples/my-object, and the namespace by -n.");
        }
        Resource resource = resource(api, text.substring(0, slash));
        return new NamedObject(resource, place(api, resource, namespace), text.substring(slash + 1));
    }

    /** The object that an owner reference of this one names; null if the cluster serves no such kind. */
    public @Nullable NamedObject owner(KubernetesApi api, JsonNode reference) throws InterruptedException {
        String version = reference.path("apiVersion").asString("");
        String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        return api.apiDiscovery().resources(Set.of(group)).stream()
                .filter(each -> each.group().equals(group)
                        && each.kind().equals(reference.path("kind").asString("")))
                .max(Comparator.comparing(Resource::preferred))
                .map(each -> new NamedObject(
                        each,
                        each.namespaced() ? namespace : null,
                        reference.path("name").asString("")))
                .orElse(null);
    }

    /** The resource that is meant by a kind, a plural or short name, or {@code plural.group}. */
    static Resource resource(KubernetesApi api, String kind) throws InterruptedException {
        ResourceSelector selector = ResourceSelector.of(kind);
        return api.apiDiscovery().resources().stream()
                .filter(each -> selector.matches(each) || each.kind().equalsIgnoreCase(kind))
                .max(Comparator.comparing(Resource::preferred))
                .orElseThrow(() -> CommandException.usage("The cluster serves no resource '" + kind
                        + "': name it as kubectl does, by its kind, plural or short name, or as plural.group."));
    }

    static @Nullable String place(KubernetesApi api, Resource resource, @Nullable String namespace)
            throws InterruptedException {
        if (!resource.namespaced()) {
            return null;
        }
        return namespace == null ? api.defaultNamespace() : namespace;
    }

    /**
     * The object as the server has it; empty if there is none. It is listed, as operators may do that, and mostly may
     * not get; who may only get, gets.
     */
    Optional<ObjectNode> read(KubernetesApi api) throws InterruptedException {
        try {
            return listed(api);
        } catch (ForbiddenException mayNotList) {
            try {
                return Optional.of(api.unlessForbidden(each -> each.get(resource, namespace, name)));
            } catch (NotFoundException e) {
                return Optional.empty();
            }
        }
    }

    private Optional<ObjectNode> listed(KubernetesApi api) throws InterruptedException {
        List<ObjectNode> found = new ArrayList<>();
        ListListener listener = new ListListener() {
            @Override
            public void item(ObjectNode body) {
                if (body.path("metadata").path("name").asString("").equals(name)) {
                    found.add(body);
                }
            }

            @Override
            public void unreadable(UnreadableObject object) {
                throw CommandException.failure(NamedObject.this + " cannot be read: " + object.reason());
            }
        };
        var _ = api.unlessForbidden(each -> each.list(resource, namespace, Narrowing.named(name), PAGE, listener));
        return found.stream().findFirst();
    }

    /** Looks at states of the object; an empty one is its end. */
    @FunctionalInterface
    interface StateTest {
        boolean test(Optional<ObjectNode> body) throws InterruptedException;
    }

    /**
     * Watches the object until a state of it is the wanted one. If the server ends the watch, as it does after some
     * minutes, or has forgotten the version, the object is read again, and watched on.
     *
     * @param from the version from which on changes are seen
     * @param seen the version of the object that was looked at already; empty if it did not exist
     * @param until when it ends at the latest
     * @return false if the time was over first
     */
    boolean await(Platform platform, KubernetesApi api, String from, String seen, Deadline until, StateTest wanted)
            throws InterruptedException {
        Wait wait = new Wait(api, until, wanted, seen);
        String version = from;
        while (!wait.watch(version)) {
            if (until.hasPassed(platform)) {
                return false;
            }
            platform.sleep(BETWEEN_WATCHES);
            version = version(api);
            if (wait.look(read(api))) {
                return true;
            }
        }
        return true;
    }

    /** Looks at the states of the object, at each once. Confined to one thread. */
    private final class Wait {
        private final KubernetesApi api;
        private final Deadline until;
        private final StateTest wanted;
        private String seen;

        Wait(KubernetesApi api, Deadline until, StateTest wanted, String seen) {
            this.api = api;
            this.until = until;
            this.wanted = wanted;
            this.seen = seen;
        }

        /** True if the state is the wanted one. */
        boolean look(Optional<ObjectNode> body) throws InterruptedException {
            String version = versionOf(body);
            boolean other = !version.equals(seen);
            seen = version;
            return other && wanted.test(body);
        }

        /** False if the watch or the time has ended. */
        boolean watch(String from) throws InterruptedException {
            WatchOptions options = new WatchOptions(0, false, IDLE);
            try (WatchStream stream = api.unlessForbidden(
                    each -> each.watch(resource, namespace, Narrowing.NONE, from, options, _ -> {}))) {
                WatchEvent event = stream.next(until);
                while (event != null && event.type() != WatchEvent.Type.ERROR) {
                    if (name.equals(event.name())) {
                        boolean gone = event.type() == WatchEvent.Type.DELETED;
                        if (look(gone ? Optional.empty() : Optional.of(event.object()))) {
                            return true;
                        }
                    }
                    event = stream.next(until);
                }
                return false;
            } catch (StreamIdleException | GoneException | ConnectionFailedException e) {
                return false;
            }
        }
    }

    /** The version of the object; empty if it does not exist. */
    static String versionOf(Optional<ObjectNode> body) {
        return body.map(each -> each.path("metadata").path("resourceVersion").asString(""))
                .orElse("");
    }

    /** The version of the collection now. */
    String version(KubernetesApi api) throws InterruptedException {
        return api.unlessForbidden(each -> each.version(resource, namespace, new Narrowing("", true)));
    }

    /** As kubectl names it: {@code kopfexamples.kopf.dev/x in 'default'}. */
    @Override
    public String toString() {
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return resource.plural() + group + "/" + name + (namespace == null ? "" : " in '" + namespace + "'");
    }
}
