package dev.kopf4j.client.api;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The head of an event: what happened to which object. A line is read without making a tree of it, but to its end, so
 * that a damaged line is found at once.
 *
 * @param type the type as the server wrote it; empty if there is none
 * @param resourceVersion the version of the object; empty if there is none
 * @param deleting true if the deletion of the object was requested
 */
record WatchEventHead(
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
