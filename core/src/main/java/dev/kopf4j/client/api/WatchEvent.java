package dev.kopf4j.client.api;

import dev.kopf4j.json.DamagedJson;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of a watch. It is kept as text, so that an event that waits takes no more memory than its text. Immutable.
 */
public final class WatchEvent {
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
    private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);

    private final byte[] line;
    private final WatchEventHead head;
    private final @Nullable UnreadableObject unreadable;

    private WatchEvent(byte[] line, WatchEventHead head, @Nullable UnreadableObject unreadable) {
        this.line = line;
        this.head = head;
        this.unreadable = unreadable;
    }

    /** What has happened. */
    public enum Type {
        /** The object was created, or has begun to match the watch. */
        ADDED,
        /** The object has changed. */
        MODIFIED,
        /** The object does not exist any more; this was its last state. */
        DELETED,
        /** A sign of life: the watch has reached the version that the object carries. */
        BOOKMARK,
        /** The watch has failed; the object is a {@code Status}. */
        ERROR,
        /** A type that this client does not know. */
        UNKNOWN;

        static Type of(String rawType) {
            return switch (rawType) {
                case "ADDED" -> ADDED;
                case "MODIFIED" -> MODIFIED;
                case "DELETED" -> DELETED;
                case "BOOKMARK" -> BOOKMARK;
                case "ERROR" -> ERROR;
                default -> UNKNOWN;
            };
        }
    }

    /**
     * Reads an event from a line, which belongs to the event from now on; throws {@link JsonConversionException} if the
     * line is damaged, or is no event.
     */
    public static WatchEvent of(byte[] line) {
        try {
            return new WatchEvent(line, WatchEventHead.read(line), null);
        } catch (JacksonException e) {
            throw new JsonConversionException(UnreadableObject.damage(e), null);
        }
    }

    /**
     * Reads an event from a line, as {@link #of(byte[])} does. If the line is damaged, but whole, and tells what has
     * happened to which object, the event is that the object {@linkplain #unreadable cannot be read}.
     */
    static WatchEvent ofMaybeDamaged(byte[] line) {
        try {
            return of(line);
        } catch (JsonConversionException e) {
            DamagedJson damaged = DamagedJson.of(line);
            String rawType = damaged.text("type");
            Type type = Type.of(rawType == null ? "" : rawType);
            UnreadableObject object =
                    UnreadableObject.ofEvent(damaged, type == Type.DELETED, UnreadableObject.reason(e));
            boolean isOfObject = type == Type.ADDED || type == Type.MODIFIED || type == Type.DELETED;
            if (!damaged.isClosed() || !isOfObject || !object.isKnown()) {
                throw e;
            }
            return new WatchEvent(
                    NOTHING,
                    new WatchEventHead(
                            type.name(),
                            object.resourceVersion(),
                            object.name(),
                            object.namespace(),
                            object.uid(),
                            false),
                    object);
        }
    }

    /** Makes an event of the given type and object. */
    public static WatchEvent of(Type type, ObjectNode object) {
        ObjectNode json = Json.object();
        json.put("type", type.name()).set("object", object);
        return of(Json.bytes(json));
    }

    /** What has happened. */
    public Type type() {
        return Type.of(head.type());
    }

    /** The type as the server wrote it. */
    public String rawType() {
        return head.type();
    }

    /** The version of the object; empty if it has none. */
    public String resourceVersion() {
        return head.resourceVersion();
    }

    /** The object's name; null if it has none. */
    public @Nullable String name() {
        return head.name();
    }

    /** The object's namespace; null if it has none. */
    public @Nullable String namespace() {
        return head.namespace();
    }

    /** The object's uid; null if it has none. */
    public @Nullable String uid() {
        return head.uid();
    }

    /** The object, if it cannot be read: then it has nothing but its identity. Null for all others. */
    public @Nullable UnreadableObject unreadable() {
        return unreadable;
    }

    /** True if the deletion of the object was requested. */
    public boolean isDeleting() {
        return head.deleting();
    }

    /**
     * Returns the object after the event; for {@code ERROR}, a {@code Status}. Each call parses the line anew, and the
     * result belongs to the caller.
     */
    public ObjectNode object() {
        return Json.parseObject(line).get("object") instanceof ObjectNode tree ? tree : Json.object();
    }

    /** True for the bookmark behind the last initial event: all objects that exist have been sent. */
    public boolean endsInitialEvents() {
        return type() == Type.BOOKMARK
                && object().path("metadata")
                        .path("annotations")
                        .path(INITIAL_EVENTS_END)
                        .asString("")
                        .equals("true");
    }

    /** Returns the status code of an {@code ERROR} event; 0 if there is none. */
    public int errorCode() {
        return object().path("code").asInt(0);
    }

    /**
     * The head of an event: what happened to which object. A line is read without making a tree of it, but to its end,
     * so that a damaged line is found at once.
     *
     * @param type the type as the server wrote it
     * @param resourceVersion the version of the object; empty if there is none
     * @param deleting true if the deletion of the object was requested
     */
    private record WatchEventHead(
            String type,
            String resourceVersion,
            @Nullable String name,
            @Nullable String namespace,
            @Nullable String uid,
            boolean deleting) {
        /** Reads a line; throws {@link tools.jackson.core.JacksonException} if it is not JSON. */
        static WatchEventHead read(byte[] line) {
            try (JsonParser parser = Json.mapper().createParser(line)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new JsonConversionException("expected a JSON object", null);
                }
                WatchEventHead head = new Reader(parser).read();
                if (parser.nextToken() != null) {
                    throw new JsonConversionException("expected one JSON object, but there is more", null);
                }
                if (head.type().isEmpty()) {
                    // A list, or what a gateway answers by itself: who took it for an event would wait for ever.
                    throw new JsonConversionException("it is no event, as it has no type", null);
                }
                return head;
            }
        }

        private static final class Reader {
            private final JsonParser parser;
            private String type = "";
            private String resourceVersion = "";
            private @Nullable String name;
            private @Nullable String namespace;
            private @Nullable String uid;
            private boolean deleting;

            Reader(JsonParser parser) {
                this.parser = parser;
            }

            WatchEventHead read() {
                eachField(field -> {
                    switch (field) {
                        case "type" -> type = nonNull(text());
                        case "object" -> eachField(this::readObject);
                        default -> parser.skipChildren();
                    }
                });
                return new WatchEventHead(type, resourceVersion, name, namespace, uid, deleting);
            }

            private void readObject(String field) {
                if (field.equals("metadata")) {
                    eachField(this::readMetadata);
                } else {
                    parser.skipChildren();
                }
            }

            private void readMetadata(String field) {
                switch (field) {
                    case "resourceVersion" -> resourceVersion = nonNull(text());
                    case "name" -> name = text();
                    case "namespace" -> namespace = text();
                    case "uid" -> uid = text();
                    case "deletionTimestamp" -> deleting = text() != null;
                    default -> parser.skipChildren();
                }
            }

            private interface FieldReader {
                /** Reads the value at which the parser stands. */
                void read(String field);
            }

            private void eachField(FieldReader reader) {
                if (parser.currentToken() != JsonToken.START_OBJECT) {
                    parser.skipChildren();
                    return;
                }
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String field = parser.currentName();
                    parser.nextToken();
                    reader.read(field);
                }
            }

            private @Nullable String text() {
                if (parser.currentToken() == JsonToken.VALUE_STRING) {
                    return parser.getString();
                }
                parser.skipChildren();
                return null;
            }

            private static String nonNull(@Nullable String text) {
                return text == null ? "" : text;
            }
        }
    }
}
