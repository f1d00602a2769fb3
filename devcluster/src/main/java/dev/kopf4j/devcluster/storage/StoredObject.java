package dev.kopf4j.devcluster.storage;

import dev.kopf4j.devcluster.json.Json;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One state of one object. Immutable.
 *
 * <p>{@code tail} is the compact JSON after <code>{"metadata":{</code>, without kind, apiVersion and resourceVersion:
 * these are written in front when the object is rendered.
 *
 * @param namespace empty for objects of the cluster
 * @param version the resource version; 0 if it is not stored yet
 * @param owners the uids of its owner references
 * @param deleting whether its deletion has begun
 */
@SuppressWarnings("ArrayRecordComponent") // compared by identity; only copies of the bytes leave this package
public record StoredObject(
        String namespace, String name, String uid, long version, List<String> owners, boolean deleting, byte[] tail) {
    private static final int HEAD = "{\"metadata\":{".length();

    /** The object in a tree, not stored yet. The tree is not kept. */
    public static StoredObject of(ObjectNode tree) {
        ObjectNode ordered = Json.object();
        ObjectNode metadata = ((ObjectNode) tree.get("metadata")).deepCopy();
        metadata.remove("resourceVersion");
        ordered.set("metadata", metadata);
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            String key = field.getKey();
            if (!key.equals("metadata") && !key.equals("kind") && !key.equals("apiVersion")) {
                ordered.set(key, field.getValue());
            }
        }
        byte[] bytes = Json.bytes(ordered);
        return new StoredObject(
                Json.string(metadata, "namespace"),
                Json.string(metadata, "name"),
                Json.string(metadata, "uid"),
                0,
                ownersOf(metadata),
                metadata.has("deletionTimestamp"),
                Arrays.copyOfRange(bytes, HEAD, bytes.length));
    }

    private static List<String> ownersOf(ObjectNode metadata) {
        if (!metadata.has("ownerReferences")) {
            return List.of();
        }
        List<String> owners = new ArrayList<>();
        for (JsonNode reference : metadata.get("ownerReferences")) {
            owners.add(Json.string(reference, "uid"));
        }
        return List.copyOf(owners);
    }

    StoredObject at(long newVersion) {
        return new StoredObject(namespace, name, uid, newVersion, owners, deleting, tail);
    }

    /** Writes it, so that {@link #read} gives it again. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(version);
        out.writeUTF(namespace);
        out.writeUTF(name);
        out.writeUTF(uid);
        out.writeBoolean(deleting);
        out.writeShort(owners.size());
        for (String owner : owners) {
            out.writeUTF(owner);
        }
        out.writeInt(tail.length);
        out.write(tail);
    }

    /** Reads what {@link #write} has written. */
    public static StoredObject read(DataInput in) throws IOException {
        long version = in.readLong();
        String namespace = in.readUTF();
        String name = in.readUTF();
        String uid = in.readUTF();
        boolean deleting = in.readBoolean();
        List<String> owners = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            owners.add(in.readUTF());
        }
        byte[] tail = new byte[in.readInt()];
        in.readFully(tail);
        return new StoredObject(namespace, name, uid, version, List.copyOf(owners), deleting, tail);
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
        byte[] head = (front + "\"resourceVersion\":\"" + shownVersion + "\",").getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, whole, head.length, tail.length);
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
