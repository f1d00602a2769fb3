package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.WatchStream.DamagedStreamException;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.request.RequestSender.OpenResponse;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ObjectNode;

/**
 * One list of a collection, page by page. Confined to a task.
 *
 * @param namespace null for a cluster-wide list
 */
record PagedList(
        RequestSender requestSender,
        Resource resource,
        @Nullable String namespace,
        Narrowing narrowing,
        ListListener listener) {
    /** Enough for the white space behind a page. Whoever sends more than that is read no further. */
    private static final int BEHIND_A_PAGE = 1024;

    /** The end of a page comes with it. Whoever does not send it is waited for no longer. */
    private static final Duration END_WITHIN = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /**
     * Reads all pages. If the continue token expires on the way (HTTP 410), everything is read again in one page, which
     * cannot expire.
     *
     * @param pageSize how many objects a page has; 0 for all of them
     * @return the version of the list, from which a watch goes on; empty if the server gave none
     */
    String readRestartingOnGone(int pageSize) throws InterruptedException {
        try {
            return readPages(pageSize);
        } catch (GoneException e) {
            listener.retrying(e);
            listener.restarted();
            return readPages(0);
        }
    }

    /** Reads one page with one object, for the version of the list. */
    String version() throws InterruptedException {
        return readPage(1, "").resourceVersion();
    }

    private String readPages(int pageSize) throws InterruptedException {
        Page page = readPage(pageSize, "");
        listener.pageRead();
        if (!page.next().isEmpty() && !page.resourceVersion().isEmpty()) {
            listener.moreFollows(page.resourceVersion());
        }
        while (!page.next().isEmpty()) {
            page = readPage(pageSize, page.next());
            listener.pageRead();
        }
        return page.resourceVersion();
    }

    private Page readPage(int pageSize, String from) throws InterruptedException {
        try {
            return readPage(pageSize, from, false);
        } catch (ConnectionFailedException e) {
            if (!(e.getCause() instanceof DamagedStreamException)) {
                throw e;
            }
            // Something in the page is no JSON: one more request, as pages are not kept. What it is, the page
            // tells.
            log.debug("A page of {} is read once more, object by object: {}", resource, e.getMessage());
            return readPage(pageSize, from, true);
        }
    }

    private Page readPage(int pageSize, String from, boolean damaged) throws InterruptedException {
        RequestDescription requestDescription = RequestDescription.ofCollection("list", resource, namespace);
        String url = resource.url(namespace, null, null, narrowing.params(params(pageSize, from)));
        TransportRequest transportRequest = new TransportRequest("GET", url, narrowing.listHeaders(), null);
        OpenResponse open = requestSender.open(
                requestDescription, transportRequest, requestSender.settings().requestTimeout(), listener::retrying);
        try (ResponseStream stream = open.stream()) {
            InputStream body = stream.body(requestSender.settings().requestTimeout());
            PageReader reader = new PageReader(resource, listener);
            Page page = damaged ? reader.readDamaged(body) : reader.read(body);
            readToEnd(stream);
            return page;
        } catch (InterruptedIOException e) {
            throw OpenResponse.interrupted(e);
        } catch (IOException e) {
            throw open.broken(e);
        }
    }

    /** The connection serves the next page only if nothing of this one is left in it, not even its end. */
    private void readToEnd(ResponseStream stream) throws InterruptedIOException {
        Deadline deadline = requestSender.platform().after(END_WITHIN);
        InputStream rest = stream.body(END_WITHIN);
        int left = BEHIND_A_PAGE;
        try {
            while (left > 0 && rest.read() >= 0 && !deadline.hasPassed(requestSender.platform())) {
                left--;
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            log.debug("The connection is closed behind a page of {}: {}", resource, e.getMessage());
        }
    }

    private static Map<String, String> params(int pageSize, String from) {
        Map<String, String> params = new LinkedHashMap<>();
        if (pageSize > 0) {
            params.put("limit", Integer.toString(pageSize));
        }
        if (!from.isEmpty()) {
            params.put("continue", from);
        }
        return params;
    }

    /**
     * What remains of a page of a list after its objects were handed over. Each object is parsed and handed over before
     * the next one is read.
     *
     * @param resourceVersion the version of the list; empty if there is none
     * @param next the token of the next page; empty for the last page
     */
    private record Page(String resourceVersion, String next) {}

    /** Hands over the objects of one page. Confined. */
    private static final class PageReader {
        private static final ObjectReader READER =
                Json.mapper().reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

        private static final String NO_OBJECT = "the list has an item that is not an object";

        private final ListListener each;
        /** The kinds that a list of the resource may have. */
        private final Set<String> lists;

        private final String listOfResource;

        private String kind;
        private String apiVersion;
        private String resourceVersion = "";
        private String next = "";
        private boolean hasItems;
        private boolean saysList;
        private boolean saysListOfResource;

        /** A list of custom resources has its kind after its items; until it is read, the resource's kind counts. */
        PageReader(Resource resource, ListListener each) {
            this.each = each;
            this.listOfResource = resource.kind() + "List";
            this.lists = Set.copyOf(List.of(listOfResource, "PartialObjectMetadataList", "List"));
            this.kind = resource.kind();
            this.apiVersion = resource.apiVersion();
        }

        /** Reads the page; {@link DamagedStreamException} if something in it is no JSON. */
        Page read(InputStream body) throws IOException, InterruptedException {
            try (JsonParser parser = READER.createParser(body)) {
                require(parser.nextToken(), JsonToken.START_OBJECT);
                while (nextToken(parser) == JsonToken.PROPERTY_NAME) {
                    String field = parser.currentName();
                    parser.nextToken();
                    readField(field, parser);
                }
                return page();
            } catch (JacksonException e) {
                throw asIoException(e);
            }
        }

        /** Reads a page in which something is no JSON: the other objects are handed over. */
        Page readDamaged(InputStream body) throws IOException, InterruptedException {
            new PageFraming(new BufferedInputStream(body)).read(this);
            return page();
        }

        /**
         * Whoever took anything else for an empty list would take all objects for deleted: the lists of discovery, or
         * one object of a kind such as AllowList. Kubernetes writes the items of empty lists, too; other servers may
         * leave them out. A plain List says little, so that its version must say that it is one.
         */
        private Page page() throws IOException {
            if (!hasItems && !saysListOfResource && !(saysList && !resourceVersion.isEmpty())) {
                throw new IOException("the answer is not a list of objects: something in between may have given it");
            }
            return new Page(resourceVersion, next);
        }

        /** A field of the list itself; the texts may be no JSON. */
        void readDamagedField(byte[] key, byte[] value) throws IOException, InterruptedException {
            try (JsonParser parser = READER.createParser(value)) {
                parser.nextToken();
                readField(Json.parse(key).asString(""), parser);
            } catch (JacksonException e) {
                throw asIoException(e);
            } catch (JsonConversionException e) {
                throw new DamagedStreamException("the list is damaged: a name of a field is not valid JSON");
            }
        }

        /** One of the items; the text may be no JSON. */
        void readDamagedItem(byte[] item) throws InterruptedException {
            ObjectNode object;
            try {
                object = completed(Json.parseObject(item));
            } catch (JsonConversionException e) {
                each.unreadable(UnreadableObject.ofItem(
                        item,
                        e.getCause() instanceof JacksonException damage ? UnreadableObject.damage(damage) : NO_OBJECT));
                return;
            }
            each.item(object);
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
                case "kind" -> readKind(text(parser));
                case "apiVersion" -> apiVersion = nonEmpty(text(parser), apiVersion);
                case "metadata" -> readMetadata(tree(parser));
                case "items" -> readItems(parser);
                default -> parser.skipChildren();
            }
        }

        private void readKind(String text) {
            saysList |= lists.contains(text);
            saysListOfResource |= text.equals(listOfResource);
            kind = nonEmpty(text.replaceFirst("List$", ""), kind);
        }

        private void readItems(JsonParser parser) throws IOException, InterruptedException {
            hasItems = true;
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            require(parser.currentToken(), JsonToken.START_ARRAY);
            while (nextToken(parser) != JsonToken.END_ARRAY) {
                if (tree(parser) instanceof ObjectNode object) {
                    each.item(completed(object));
                } else {
                    each.unreadable(UnreadableObject.ofItem(new byte[0], NO_OBJECT));
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

        /** Empty if the value is null, or no text. */
        private static String text(JsonParser parser) {
            String text = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
            parser.skipChildren();
            return text;
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
                    : new DamagedStreamException("the list is damaged: " + UnreadableObject.damage(e));
        }
    }

    /**
     * Cuts a page of a list into its fields and objects by brackets and quotes alone, so that whatever is wrong inside
     * of an object is no obstacle to the others. Holds one of them at a time. Confined.
     */
    private static final class PageFraming {
        private final InputStream body;
        private int next;

        /** Makes the framing of a body that was not read yet; it should be buffered. */
        PageFraming(InputStream body) {
            this.body = body;
        }

        /**
         * Hands over the parts to the end of the list; throws {@link IOException} if the body is no list, or ends
         * before its end.
         */
        void read(PageReader reader) throws IOException, InterruptedException {
            step();
            skipBlanks();
            expect('{');
            skipBlanks();
            while (next != '}') {
                byte[] key = value();
                skipBlanks();
                expect(':');
                skipBlanks();
                if (isItems(key) && next == '[') {
                    readItems(reader);
                } else {
                    reader.readDamagedField(key, value());
                }
                skipSeparator();
            }
        }

        private static boolean isItems(byte[] key) {
            return key.length == 7 && key[1] == 'i' && key[2] == 't' && key[3] == 'e' && key[4] == 'm' && key[5] == 's';
        }

        private void readItems(PageReader reader) throws IOException, InterruptedException {
            reader.hasItems = true;
            step();
            skipBlanks();
            while (next != ']') {
                reader.readDamagedItem(value());
                skipSeparator();
            }
            step();
        }

        /** Takes a value up to the separator or the bracket behind it. */
        private byte[] value() throws IOException {
            ByteArrayOutputStream value = new ByteArrayOutputStream();
            int level = 0;
            boolean ended = false;
            while (!ended) {
                switch (next) {
                    case '"' -> takeText(value);
                    case '{', '[' -> {
                        level++;
                        take(value);
                    }
                    case '}', ']' -> {
                        level--;
                        if (level >= 0) {
                            take(value);
                        }
                    }
                    default -> take(value);
                }
                ended = level < 0 || (level == 0 && isSeparator());
            }
            return value.toByteArray();
        }

        private boolean isSeparator() {
            return next == ',' || next == ':' || next == '}' || next == ']';
        }

        private void takeText(ByteArrayOutputStream value) throws IOException {
            take(value);
            while (next != '"') {
                if (next == '\\') {
                    take(value);
                }
                take(value);
            }
            take(value);
        }

        private void take(ByteArrayOutputStream value) throws IOException {
            value.write(next);
            step();
        }

        private void skipSeparator() throws IOException {
            skipBlanks();
            if (next == ',') {
                step();
                skipBlanks();
            }
        }

        private void skipBlanks() throws IOException {
            while (next == ' ' || next == '\n' || next == '\r' || next == '\t') {
                step();
            }
        }

        private void expect(char wanted) throws IOException {
            if (next != wanted) {
                throw new IOException("the answer is not a list of objects");
            }
            step();
        }

        private void step() throws IOException {
            next = body.read();
            if (next < 0) {
                throw new EOFException("the list has ended before its end");
            }
        }
    }
}
