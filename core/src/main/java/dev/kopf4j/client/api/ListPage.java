package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.io.BufferedInputStream;
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

        /** This one cannot be read. */
        void unreadable(UnreadableObject object) throws InterruptedException;
    }

    /** Reads a page; {@link DamagedStreamException} if something in it is no JSON. */
    static ListPage read(InputStream body, Resource resource, Sink each) throws IOException, InterruptedException {
        return new Reader(resource, each).read(body);
    }

    /** Reads a page in which something is no JSON: the other objects are handed over. */
    static ListPage readDamaged(InputStream body, Resource resource, Sink each)
            throws IOException, InterruptedException {
        return new Reader(resource, each).readDamaged(body);
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

        ListPage readDamaged(InputStream body) throws IOException, InterruptedException {
            new PageFraming(new BufferedInputStream(body)).read(new PageFraming.Sink() {
                @Override
                public void field(byte[] key, byte[] value) throws IOException {
                    readDamagedField(key, value);
                }

                @Override
                public void item(byte[] item) throws InterruptedException {
                    readDamagedItem(item);
                }
            });
            return new ListPage(resourceVersion, next);
        }

        private void readDamagedField(byte[] key, byte[] value) throws IOException {
            try (JsonParser parser = READER.createParser(value)) {
                parser.nextToken();
                readField(Json.parse(key).asString(""), parser);
            } catch (JacksonException | JsonConversionException | InterruptedException e) {
                throw new DamagedStreamException("the list is damaged: " + e.getMessage(), e);
            }
        }

        private void readDamagedItem(byte[] item) throws InterruptedException {
            ObjectNode object;
            try {
                object = completed(Json.parseObject(item));
            } catch (JsonConversionException e) {
                each.unreadable(UnreadableObject.ofItem(item, UnreadableObject.reason(e)));
                return;
            }
            each.accept(object);
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
                if (tree(parser) instanceof ObjectNode object) {
                    each.accept(completed(object));
                } else {
                    each.unreadable(UnreadableObject.ofItem(new byte[0], "the list has an item that is not an object"));
                }
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
                    : new DamagedStreamException("the list is damaged: " + e.getOriginalMessage(), e);
        }
    }
}
