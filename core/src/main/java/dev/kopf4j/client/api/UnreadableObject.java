package dev.kopf4j.client.api;

import dev.kopf4j.json.DamagedJson;
import dev.kopf4j.object.ObjectReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object that a list or a watch has told of, but that cannot be read: what is sent of it is damaged. All that can be
 * told of it is who it is.
 *
 * @param name its name; null if it cannot be told, as with the next two
 * @param namespace its namespace; also null for a cluster-scoped object
 * @param uid its uid
 * @param resourceVersion its version; empty if it cannot be told
 * @param deleted true if the server says that it does not exist any more
 * @param reason why it cannot be read, for people
 */
public record UnreadableObject(
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String uid,
        String resourceVersion,
        boolean deleted,
        String reason) {
    /** Reads what can be read of an item of a list. */
    static UnreadableObject ofItem(byte[] item, String reason) {
        return of(DamagedJson.of(item), "", false, reason);
    }

    /** Reads what can be read of the object of an event. */
    static UnreadableObject ofEvent(DamagedJson line, boolean deleted, String reason) {
        return of(line, "object.", deleted, reason);
    }

    /** An object of an event that is JSON, but of which no tree can be made, or be used. */
    public static UnreadableObject of(WatchEvent event, Throwable failure) {
        return new UnreadableObject(
                event.name(),
                event.namespace(),
                event.uid(),
                event.resourceVersion(),
                event.type() == WatchEvent.Type.DELETED,
                reason(failure));
    }

    /** An object of a list that cannot be used. */
    public static UnreadableObject of(ObjectNode object, Throwable failure) {
        ObjectReference own = ObjectReference.of(object);
        String version = object.path("metadata").path("resourceVersion").asString("");
        return new UnreadableObject(own.name(), own.namespace(), own.uid(), version, false, reason(failure));
    }

    /** Says where a text is no JSON. It is not quoted: objects have secrets, and others than the server may answer. */
    static String damage(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return "not valid JSON"
                + (at == null || at.getByteOffset() < 0 ? "" : " at byte " + at.getByteOffset())
                + (e instanceof StreamConstraintsException ? ": " + e.getOriginalMessage() : "");
    }

    /** Says for people why an object cannot be read or be used. */
    public static String reason(Throwable failure) {
        return failure instanceof StackOverflowError
                ? "it has more levels than fit into the stack of a thread; the option -Xss8m of the JVM makes room"
                : String.valueOf(failure.getMessage());
    }

    private static UnreadableObject of(DamagedJson json, String at, boolean deleted, String reason) {
        String version = json.text(at + "metadata.resourceVersion");
        return new UnreadableObject(
                json.text(at + "metadata.name"),
                json.text(at + "metadata.namespace"),
                json.text(at + "metadata.uid"),
                version == null ? "" : version,
                deleted,
                reason);
    }

    /** True if it can be told which object it is. */
    public boolean isKnown() {
        return uid != null || name != null;
    }
}
