package dev.kopf4j.devcluster.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.SortedKeys;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One state of one object. Immutable.
 *
 * @param namespace empty for objects of the cluster
 * @param version the resource version; 0 if it is not stored yet
 * @param owners the uids of its owner references
 * @param deleting whether its deletion has begun
 * @param text the object as JSON
 */
public record StoredObject(
        String namespace, String name, String uid, long version, List<String> owners, boolean deleting, Text text) {
    private static final int DELETING = 1;
    private static final int HAS_SCHEMA_VERSION = 2;
    private static final int HEAD = "{\"metadata\":{".length();

    /**
     * An object as JSON, into which its version is written when it is shown. Immutable.
     *
     * @param schemaVersion the version of a custom kind that it is stored in, such as v1; empty for built-in kinds
     * @param tail the compact JSON after <code>{"metadata":{</code>, without kind, apiVersion and resourceVersion:
     *     these are written in front when the object is rendered
     * @param versionAt where in the tail the version is shown; 0 if the keys are not sorted
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity; only copies of the bytes leave this package
    record Text(String schemaVersion, byte[] tail, int versionAt) {}

    /** The object in a tree, not stored yet. The tree is not kept. */
    public static StoredObject of(ObjectNode tree) {
        ObjectNode ordered = Json.object();
        ObjectNode metadata = without((ObjectNode) tree.get("metadata"), Set.of("resourceVersion"));
        ordered.set("metadata", metadata);
        ordered.setAll(without(tree, Set.of("kind", "apiVersion", "metadata")));
        byte[] bytes = Json.bytes(ordered);
        return of(metadata, new Text("", Arrays.copyOfRange(bytes, HEAD, bytes.length), 0));
    }

    /** The object of a version of a custom kind in a tree, not stored yet. The tree is not kept. */
    public static StoredObject sorted(ObjectNode tree, String schemaVersion) {
        ObjectNode metadata = SortedKeys.of(without((ObjectNode) tree.get("metadata"), Set.of("resourceVersion")));
        ObjectNode rest = SortedKeys.of(without(tree, Set.of("kind", "apiVersion", "metadata")));
        byte[] before = Json.bytes(metadata);
        byte[] behind = Json.bytes(rest);
        ByteArrayOutputStream tail = new ByteArrayOutputStream(before.length + behind.length);
        tail.write(before, 1, before.length - 1);
        if (!rest.isEmpty()) {
            tail.write(',');
        }
        tail.write(behind, 1, behind.length - 1);
        return of(metadata, new Text(schemaVersion, tail.toByteArray(), versionAt(metadata, before.length)));
    }

    private static ObjectNode without(ObjectNode object, Set<String> keys) {
        ObjectNode others = Json.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!keys.contains(field.getKey())) {
                others.set(field.getKey(), field.getValue());
            }
        }
        return others;
    }

    private static int versionAt(ObjectNode metadata, int length) {
        ObjectNode later = Json.object();
        for (Map.Entry<String, JsonNode> field : metadata.properties()) {
            if (field.getKey().compareTo("resourceVersion") > 0) {
                later.set(field.getKey(), field.getValue());
            }
        }
        return later.isEmpty() ? 0 : length - Json.bytes(later).length;
    }

    private static StoredObject of(ObjectNode metadata, Text text) {
        return new StoredObject(
                Json.string(metadata, "namespace"),
                Json.string(metadata, "name"),
                Json.string(metadata, "uid"),
                0,
                Json.items(metadata, "ownerReferences")
                        .map(reference -> Json.string(reference, "uid"))
                        .toList(),
                metadata.has("deletionTimestamp"),
                text);
    }

    /** Another state of the same object in the form in which it is stored, not stored yet. The tree is not kept. */
    public StoredObject changedTo(ObjectNode tree) {
        return text.versionAt > 0 || !schemaVersion().isEmpty() ? sorted(tree, schemaVersion()) : of(tree);
    }

    /** The version of a custom kind that it is stored in, such as v1; empty for built-in kinds. */
    public String schemaVersion() {
        return text.schemaVersion;
    }

    /** The length of its JSON in bytes, without kind, apiVersion and version. */
    public int length() {
        return HEAD + text.tail.length;
    }

    /** Whether another state is the same text, of the same version of a custom kind. */
    public boolean hasTextOf(StoredObject other) {
        return schemaVersion().equals(other.schemaVersion()) && Arrays.equals(text.tail, other.text.tail);
    }

    StoredObject at(long newVersion) {
        return new StoredObject(namespace, name, uid, newVersion, owners, deleting, text);
    }

    /** Writes it, so that {@link #read} gives it again. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(version);
        out.writeUTF(namespace);
        out.writeUTF(name);
        out.writeUTF(uid);
        out.writeByte((deleting ? DELETING : 0) | (schemaVersion().isEmpty() ? 0 : HAS_SCHEMA_VERSION));
        if (!schemaVersion().isEmpty()) {
            out.writeUTF(schemaVersion());
        }
        out.writeShort(owners.size());
        for (String owner : owners) {
            out.writeUTF(owner);
        }
        // The form without a place for the version is the older one.
        out.writeInt(text.versionAt > 0 ? -text.tail.length : text.tail.length);
        if (text.versionAt > 0) {
            out.writeInt(text.versionAt);
        }
        out.write(text.tail);
    }

    /** Reads what {@link #write} has written. */
    public static StoredObject read(DataInput in) throws IOException {
        long version = in.readLong();
        String namespace = in.readUTF();
        String name = in.readUTF();
        String uid = in.readUTF();
        int flags = in.readByte();
        boolean deleting = (flags & DELETING) != 0;
        String schemaVersion = (flags & HAS_SCHEMA_VERSION) == 0 ? "" : in.readUTF();
        List<String> owners = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            owners.add(in.readUTF());
        }
        int length = in.readInt();
        int versionAt = length < 0 ? in.readInt() : 0;
        byte[] tail = new byte[Math.abs(length)];
        in.readFully(tail);
        Text text = new Text(schemaVersion, tail, versionAt);
        return new StoredObject(namespace, name, uid, version, List.copyOf(owners), deleting, text);
    }

    /** The same state under the version of a later change, as DELETED events carry it. */
    public StoredObject shownAt(long laterVersion) {
        return at(laterVersion);
    }

    /** Where it is inside its bucket: sorts by namespace, then name. */
    public String place() {
        return place(namespace, name);
    }

    static String place(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** The object as a fresh tree of a kind, with its version. */
    public ObjectNode tree(String apiVersion, String kind) {
        return (ObjectNode) Json.parse(bytes(apiVersion, kind));
    }

    /** The object as a fresh tree without kind. */
    public ObjectNode tree() {
        return (ObjectNode) Json.parse(bytes());
    }

    /** The object as JSON of a kind. */
    public byte[] bytes(String apiVersion, String kind) {
        return show("{\"apiVersion\":" + quoted(apiVersion) + ",\"kind\":" + quoted(kind) + ",\"metadata\":{", version);
    }

    /** The object as JSON without kind and apiVersion, as elements of built-in lists are shown. */
    public byte[] bytes() {
        return show("{\"metadata\":{", version);
    }

    private byte[] show(String front, long shownVersion) {
        byte[] tail = text.tail;
        int versionAt = text.versionAt;
        byte[] head = front.getBytes(StandardCharsets.UTF_8);
        byte[] shown = ("\"resourceVersion\":\"" + shownVersion + "\",").getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(head, head.length + shown.length + tail.length);
        System.arraycopy(tail, 0, whole, head.length, versionAt);
        System.arraycopy(shown, 0, whole, head.length + versionAt, shown.length);
        System.arraycopy(tail, versionAt, whole, head.length + versionAt + shown.length, tail.length - versionAt);
        return whole;
    }

    private static String quoted(String word) {
        return '"' + word + '"';
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return place() + "@" + version;
    }
}
