package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ObjectNode;

/**
 * What remains of a page of a list after its objects were handed over. Each object is parsed and handed over before the
 * next one is read.
 *
 * @param resourceVersion the version of the list; empty if there is none
 * @param next the token of the next page; empty for the last page
 */
record ListPage(String resourceVersion, String next) {
    private static final ObjectReader READER =
            Json.mapper().reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Receives the objects. */
    interface Sink {
        void accept(ObjectNode object) throws InterruptedException;
    }

    static ListPage read(InputStream body, Resource resource, Sink each) throws IOException, InterruptedException {
        return new Reader(resource, each).read(body);
    }

    private static final class Reader {
        private final Sink each;
        private String kind;
        private String apiVersion;
        private String resourceVersion = "";
        private String next = "";

        /** A list of custom resources has its kind after its items; until it is read, the resource's kind counts. */
        Reader(Resource resource, Sink each) {
            this.each = each;
            this.kind = resource.kind();
            this.apiVersion = resource.apiVersion();
        }

        ListPage read(InputStream body) throws IOException, InterruptedException {
            try (JsonParser parser = READER.createParser(body)) {
                require(parser.nextToken(), JsonToken.START_OBJECT);
                while (nextToken(parser) == JsonToken.PROPERTY_NAME) {
                    String field = parser.currentName();
                    parser.nextToken();
                    readField(field, parser);
                }
                return new ListPage(resourceVersion, next);
            } catch (JacksonException e) {
                throw asIoException(e);
            }
        }

        private static JsonToken nextToken(JsonParser parser) throws IOException {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new IOException("the list has ended before its end");
            }
            return token;
        }

        private void readField(String field, JsonParser parser) throws IOException, InterruptedException {
            switch (field) {
                case "kind" -> kind = nonEmpty(parser.getValueAsString().replaceFirst("List$", ""), kind);
                case "apiVersion" -> apiVersion = nonEmpty(parser.getValueAsString(), apiVersion);
                case "metadata" -> readMetadata(tree(parser));
                case "items" -> readItems(parser);
                default -> parser.skipChildren();
            }
        }

        private void readItems(JsonParser parser) throws IOException, InterruptedException {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            require(parser.currentToken(), JsonToken.START_ARRAY);
            while (nextToken(parser) != JsonToken.END_ARRAY) {
                if (!(tree(parser) instanceof ObjectNode object)) {
                    throw new IOException("the list has an item that is not an object");
                }
                each.accept(completed(object));
            }
        }

        private ObjectNode completed(ObjectNode object) {
            if (!object.hasNonNull("kind")) {
                object.put("kind", kind);
            }
            if (!object.hasNonNull("apiVersion")) {
                object.put("apiVersion", apiVersion);
            }
            return object;
        }

        private void readMetadata(JsonNode metadata) {
            resourceVersion = metadata.path("resourceVersion").asString("");
            next = metadata.path("continue").asString("");
        }

        private static JsonNode tree(JsonParser parser) {
            return READER.readTree(parser);
        }

        private static String nonEmpty(String text, String otherwise) {
            return text.isEmpty() ? otherwise : text;
        }

        private static void require(JsonToken found, JsonToken expected) throws IOException {
            if (found != expected) {
                throw new IOException("the answer is not a list of objects");
            }
        }

        private static IOException asIoException(JacksonException e) {
            return e instanceof JacksonIOException && e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException("the list is damaged: " + e.getOriginalMessage(), e);
        }
    }
}
