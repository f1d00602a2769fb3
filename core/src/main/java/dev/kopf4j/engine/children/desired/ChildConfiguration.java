package dev.kopf4j.engine.children.desired;

import dev.kopf4j.engine.children.live.ChildMarks;
import dev.kopf4j.engine.children.live.Digests;
import dev.kopf4j.engine.children.live.LiveChild;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is applied for a child: as the handler gave it, adopted, and marked. Immutable.
 *
 * @param node the configuration; not to be changed
 * @param applied what its annotation says
 */
public record ChildConfiguration(ObjectNode node, LiveChild.Applied applied) {
    /** What only the server sets. */
    private static final List<String> OF_SERVER = List.of(
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "managedFields",
            "selfLink");

    /**
     * Adopts and marks an object.
     *
     * @param given the object, which becomes the configuration's own
     * @param parent the parent
     * @param handler the id of the handler
     * @param fieldManager who applies it
     * @param number tells apart children without names
     * @throws IllegalArgumentException if it cannot be a child of the parent
     */
    static ChildConfiguration of(ObjectNode given, ObjectNode parent, String handler, String fieldManager, int number) {
        ObjectReference owner = ObjectReference.of(parent);
        given.remove("status");
        removeNulls(given);
        if (ObjectReference.of(given).apiVersion() == null
                || ObjectReference.of(given).kind() == null) {
            throw new IllegalArgumentException("a child needs apiVersion and kind: " + Json.text(given));
        }
        encodeSecret(given);
        ObjectNode meta = given.withObject("/metadata");
        OF_SERVER.forEach(meta::remove);
        name(meta, owner, number);
        namespace(given, meta, owner);
        adopt(meta, owner);
        meta.withObject("/labels").put(ChildMarks.MANAGED_BY, fieldManager);
        LiveChild.Applied applied = new LiveChild.Applied(handler, Digests.of(given));
        meta.withObject("/annotations").put(ChildMarks.APPLIED, applied.text());
        return new ChildConfiguration(given, applied);
    }

    /** Server-side apply takes no null for an absent value. */
    private static void removeNulls(ObjectNode object) {
        for (String key : List.copyOf(object.propertyNames())) {
            switch (object.get(key)) {
                case ObjectNode part -> removeNulls(part);
                case ArrayNode items ->
                    items.forEach(item -> {
                        if (item instanceof ObjectNode part) {
                            removeNulls(part);
                        }
                    });
                case JsonNode value when value.isNull() -> object.remove(key);
                case JsonNode _ -> {}
            }
        }
    }

    /** The server stores data only, so that nobody would ever own {@code stringData}. */
    private static void encodeSecret(ObjectNode object) {
        boolean secret = object.path("kind").asString("").equals("Secret")
                && object.path("apiVersion").asString("").equals("v1");
        if (secret && object.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = object.withObject("/data");
            texts.forEachEntry((key, text) -> data.put(
                    key, Base64.getEncoder().encodeToString(text.asString("").getBytes(StandardCharsets.UTF_8))));
        }
    }

    private static void name(ObjectNode meta, ObjectReference owner, int number) {
        String prefix = meta.path("generateName").asString("");
        meta.remove("generateName");
        if (!meta.path("name").asString("").isEmpty()) {
            return;
        }
        meta.put("name", prefix.isEmpty() ? String.valueOf(owner.name()) : prefix + suffix(owner, prefix, number));
    }

    /** Always the same, so that no child is created twice. */
    private static String suffix(ObjectReference owner, String prefix, int number) {
        ObjectNode identity =
                Json.object().put("owner", owner.uid()).put("prefix", prefix).put("number", number);
        return HexFormat.of().toHexDigits(Digests.of(identity)).substring(0, 8);
    }

    private static void namespace(ObjectNode given, ObjectNode meta, ObjectReference owner) {
        String own = meta.path("namespace").asString("");
        if (owner.namespace() == null) {
            return;
        }
        if (own.isEmpty()) {
            meta.put("namespace", owner.namespace());
        } else if (!own.equals(owner.namespace())) {
            throw new IllegalArgumentException(given.path("kind").asString() + " " + own + "/"
                    + meta.path("name").asString() + " cannot be a child of " + owner.describe()
                    + ": Kubernetes deletes objects whose owner is not in their namespace. Leave the namespace out, or"
                    + " create the object in a handler of changes");
        }
    }

    private static void adopt(ObjectNode meta, ObjectReference owner) {
        ArrayNode references =
                meta.get("ownerReferences") instanceof ArrayNode known ? known : meta.putArray("ownerReferences");
        for (JsonNode reference : references) {
            if (reference.path("uid").asString("").equals(owner.uid())) {
                return;
            }
        }
        references
                .addObject()
                .put("apiVersion", owner.apiVersion())
                .put("kind", owner.kind())
                .put("name", owner.name())
                .put("uid", owner.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /** The apiVersion of the object. */
    public String apiVersion() {
        return node.path("apiVersion").asString("");
    }

    /** The kind of the object. */
    public String kind() {
        return node.path("kind").asString("");
    }

    /** The name of the object. */
    public String name() {
        return node.path("metadata").path("name").asString("");
    }

    /** The namespace of the object; null if it has none. */
    public @Nullable String namespace() {
        String text = node.path("metadata").path("namespace").asString("");
        return text.isEmpty() ? null : text;
    }

    /** The kind and name, for people. */
    public String title() {
        return kind() + " " + name();
    }

    /** True if that child is the object. */
    public boolean isOf(LiveChild child) {
        return child.resource().kind().equals(kind())
                && child.resource().group().equals(group())
                && child.name().equals(name())
                && Objects.equals(child.namespace(), child.resource().namespaced() ? namespace() : null);
    }

    private String group() {
        String version = apiVersion();
        int slash = version.indexOf('/');
        return slash < 0 ? "" : version.substring(0, slash);
    }

    /** True if both are the same object. */
    boolean isSameObject(ChildConfiguration other) {
        return kind().equals(other.kind())
                && group().equals(other.group())
                && name().equals(other.name())
                && Objects.equals(namespace(), other.namespace());
    }

    /** What is sent: cluster-scoped objects have no namespace, though their parent may have one. */
    public ObjectNode sent(boolean namespaced) {
        if (namespaced || namespace() == null) {
            return node;
        }
        ObjectNode copy = node.deepCopy();
        copy.withObject("/metadata").remove("namespace");
        return copy;
    }
}
