package dev.kopf4j.testing.environment;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.testing.recording.WatchedResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is on the cluster at the moment, as a client sees it. Thread-safe.
 *
 * @param client the client
 */
record ClusterView(KubernetesClient client) {
    /**
     * Which object.
     *
     * @param resource its resource
     * @param uid its uid
     */
    record Key(Resource resource, @Nullable String uid) {}

    /** The object; empty if it does not exist. */
    Optional<VersionedObject> find(Resource resource, ObjectReference wanted) {
        return text(resource, wanted).map(text -> VersionedObject.of(Json.parse(text)));
    }

    /** The same, all of it, in the version that is wanted. */
    Optional<Body> read(Resource resource, ObjectReference wanted) {
        String path = collection(resource, namespace(resource, wanted))
                .replaceFirst("/" + Pattern.quote(resource.apiVersion()) + "/", "/" + wanted.apiVersion() + "/");
        return Optional.ofNullable(client.raw(path + "/" + wanted.name()))
                .map(text -> new BodyView((ObjectNode) Json.parse(text)));
    }

    /** The same object, with the namespace where it is looked for: that of the client if it names none. */
    ObjectReference placed(Resource resource, ObjectReference wanted) {
        return new ObjectReference(
                wanted.apiVersion(),
                wanted.kind(),
                wanted.name(),
                wanted.uid(),
                namespace(resource, wanted).orElse(null));
    }

    private Optional<String> text(Resource resource, ObjectReference wanted) {
        String collection = collection(resource, namespace(resource, wanted));
        return Optional.ofNullable(client.raw(collection + "/" + wanted.name()));
    }

    private Optional<String> namespace(Resource resource, ObjectReference wanted) {
        return resource.namespaced()
                ? Optional.of(Objects.requireNonNullElseGet(wanted.namespace(), client::getNamespace))
                : Optional.empty();
    }

    /** All objects that an operator watches. */
    Map<Key, VersionedObject> list(List<WatchedResource> watched) {
        Map<Key, VersionedObject> all = new LinkedHashMap<>();
        watched.forEach(each -> list(each, all));
        return all;
    }

    private void list(WatchedResource watched, Map<Key, VersionedObject> all) {
        Resource resource = watched.resource();
        String selector = watched.labelSelector();
        String query =
                selector.isEmpty() ? "" : "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
        String text = client.raw(collection(resource, watched.namespace()) + query);
        if (text == null) {
            return;
        }
        for (JsonNode item : Json.parse(text).path("items")) {
            VersionedObject object = VersionedObject.item(item, resource.apiVersion(), resource.kind());
            all.put(new Key(resource, object.reference().uid()), object);
        }
    }

    /** The path of the objects of a resource. */
    static String collection(Resource resource, Optional<String> namespace) {
        String group = resource.group().isEmpty() ? "/api/" : "/apis/" + resource.group() + "/";
        return group
                + resource.version()
                + namespace.map(each -> "/namespaces/" + each).orElse("")
                + "/"
                + resource.plural();
    }
}
