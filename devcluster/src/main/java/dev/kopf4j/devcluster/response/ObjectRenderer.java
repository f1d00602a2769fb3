package dev.kopf4j.devcluster.response;

import dev.kopf4j.devcluster.conversion.BuiltinConversion;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.printing.TableColumn;
import dev.kopf4j.devcluster.printing.TableColumns;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.SortedKeys;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Renders the objects of one resource in the form that one client accepts: {@code pkg/endpoints/handlers/response.go}
 * of the apiserver library, v1.33. Immutable.
 */
public final class ObjectRenderer {
    /** Converting a daemon set to its version adds this annotation, which the metadata alone has not. */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private final Resource resource;
    private final AcceptHeader acceptHeader;
    private final String includeObject;
    private final List<TableColumn> columns;
    private final InstantSource clock;
    private final boolean headed;

    /**
     * Creates a renderer.
     *
     * @param includeObject what rows of tables have besides the cells: None, Metadata or Object; empty for Metadata
     */
    public ObjectRenderer(Resource resource, AcceptHeader acceptHeader, String includeObject, InstantSource clock) {
        this(
                resource,
                acceptHeader,
                includeObject,
                clock,
                acceptHeader.table() ? TableColumns.columns(resource) : List.of(),
                true);
    }

    private ObjectRenderer(
            Resource resource,
            AcceptHeader acceptHeader,
            String includeObject,
            InstantSource clock,
            List<TableColumn> columns,
            boolean headed) {
        this.resource = resource;
        this.acceptHeader = acceptHeader;
        this.includeObject = includeObject;
        this.clock = clock;
        this.columns = columns;
        this.headed = headed;
    }

    /** The renderer for all events of a watch but the first: their tables have no column definitions. */
    public ObjectRenderer withoutTableHead() {
        return headed && acceptHeader.table()
                ? new ObjectRenderer(resource, acceptHeader, includeObject, clock, columns, false)
                : this;
    }

    /** Renders a stored object. */
    public byte[] object(StoredObject object) {
        if (acceptHeader.as().isEmpty() && StorageConversion.asStored(resource)) {
            return object.bytes(resource.apiVersion(), resource.kind());
        }
        return Json.bytes(object(StorageConversion.tree(resource, object)));
    }

    /** Refuses the form of lists, for a single object. */
    public void requireSingleForm() {
        if (acceptHeader.as().equals("PartialObjectMetadataList")) {
            throw ApiException.notAcceptable(
                    "you requested PartialObjectMetadataList, but the requested object is not a list");
        }
    }

    /** Renders an object; the tree may be changed. */
    public ObjectNode object(ObjectNode object) {
        requireSingleForm();
        if (acceptHeader.partial()) {
            return partial(object);
        }
        if (!acceptHeader.table()) {
            return resource.isCustom() ? SortedKeys.of(object) : object;
        }
        return table(Json.string(object, "metadata", "resourceVersion"), object);
    }

    /** Renders an object that only has a version. */
    public ObjectNode bookmark(ObjectNode object) {
        if (acceptHeader.table()) {
            ObjectNode table = table(Json.string(object, "metadata", "resourceVersion"), object);
            table.putArray("rows");
            return table;
        }
        return acceptHeader.partial() ? partial(object) : object;
    }

    private ObjectNode partial(JsonNode object) {
        ObjectNode partial = Json.object();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", acceptHeader.meta());
        JsonNode metadata = object.path("metadata");
        if (metadata.path("annotations").has(TEMPLATE_GENERATION)) {
            ObjectNode shown = (ObjectNode) metadata.deepCopy();
            ObjectNode annotations = (ObjectNode) shown.get("annotations");
            annotations.remove(TEMPLATE_GENERATION);
            if (annotations.isEmpty()) {
                shown.remove("annotations");
            }
            metadata = shown;
        }
        partial.set("metadata", metadata);
        return partial;
    }

    /** A table of one row, as watches send it for each event. */
    private ObjectNode table(String version, ObjectNode object) {
        ObjectNode table = Json.object();
        table.put("kind", "Table").put("apiVersion", acceptHeader.meta());
        table.putObject("metadata").put("resourceVersion", version);
        if (headed) {
            table.set("columnDefinitions", TableColumns.definitions(columns));
        } else {
            table.putNull("columnDefinitions");
        }
        table.putArray("rows").add(row(object));
        return table;
    }

    private ObjectNode row(ObjectNode object) {
        ObjectNode row = Json.object();
        ArrayNode cells = row.putArray("cells");
        ObjectNode stored = BuiltinConversion.stored(resource, object);
        columns.forEach(tableColumn -> cells.add(tableColumn.cell().apply(stored, clock.instant())));
        ArrayNode conditions = TableColumns.rowConditions(resource, object);
        if (!conditions.isEmpty()) {
            row.set("conditions", conditions);
        }
        switch (includeObject) {
            case "None" -> row.putNull("object");
            case "Object" -> row.set("object", object);
            default -> row.set("object", partial(object));
        }
        return row;
    }

    /**
     * Renders a list in pieces, each when it is taken.
     *
     * @param rest the continue token; empty if the list is complete
     * @param remaining how many objects are left; negative if the response does not say
     */
    public Iterable<byte[]> list(Iterable<StoredObject> objects, long version, String rest, long remaining) {
        if (acceptHeader.as().equals("PartialObjectMetadata")) {
            throw ApiException.notAcceptable("you requested PartialObjectMetadata, but the requested object is a list ("
                    + resource.names().listKind() + ")");
        }
        byte[] head = head(version, rest, remaining);
        boolean nothing = acceptHeader.partial() && !objects.iterator().hasNext();
        String tail = nothing ? "null}\n" : "]}\n";
        if (StorageConversion.mayFail(resource)) { // so all are converted before the response begins
            List<byte[]> elements = new ArrayList<>();
            objects.forEach(object -> elements.add(element(object)));
            return () -> new ListPieces<>(head, elements.iterator(), tail, element -> element);
        }
        return () -> new ListPieces<>(head, objects.iterator(), tail, this::element);
    }

    private byte[] head(long version, String rest, long remaining) {
        ObjectNode metadata = Json.object().put("resourceVersion", String.valueOf(version));
        if (!rest.isEmpty() || (resource.isCustom() && acceptHeader.as().isEmpty())) {
            metadata.put("continue", rest);
        }
        if (remaining >= 0) {
            metadata.put("remainingItemCount", remaining);
        }
        ObjectNode list = Json.object();
        list.put("kind", acceptHeader.as().isEmpty() ? resource.names().listKind() : acceptHeader.as());
        list.put("apiVersion", acceptHeader.as().isEmpty() ? resource.apiVersion() : acceptHeader.meta());
        list.set("metadata", metadata);
        if (acceptHeader.table()) {
            list.set("columnDefinitions", TableColumns.definitions(columns));
        }
        String text = Json.text(list);
        return (text.substring(0, text.length() - 1) + ",\"" + (acceptHeader.table() ? "rows" : "items") + "\":")
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] element(StoredObject object) {
        if (acceptHeader.table()) {
            return Json.bytes(row(StorageConversion.tree(resource, object)));
        }
        if (acceptHeader.partial()) {
            return Json.bytes(partial(
                    StorageConversion.mayFail(resource) ? StorageConversion.tree(resource, object) : object.tree()));
        }
        if (!StorageConversion.asStored(resource)) {
            ObjectNode tree = StorageConversion.tree(resource, object);
            return Json.bytes(resource.isCustom() ? SortedKeys.of(tree) : tree.without(List.of("kind", "apiVersion")));
        }
        return resource.isCustom() ? object.bytes(resource.apiVersion(), resource.kind()) : object.bytes();
    }

    /** The JSON of a list in pieces: its head, one piece for each object, its tail. Used by one thread. */
    private static final class ListPieces<T> implements Iterator<byte[]> {
        private final Iterator<T> objects;
        private final Function<T, byte[]> element;
        private final byte[] head;
        private final String tail;
        private int stage;
        private boolean first = true;

        /**
         * Begins a list.
         *
         * @param head the JSON up to the array of elements, which is not in it
         * @param tail the end of the JSON; it begins with {@code null} for no array
         */
        ListPieces(byte[] head, Iterator<T> objects, String tail, Function<T, byte[]> element) {
            this.head = head;
            this.objects = objects;
            this.tail = tail;
            this.element = element;
        }

        @Override
        public boolean hasNext() {
            return stage < 2;
        }

        @Override
        public byte[] next() {
            if (stage == 0) {
                stage = 1;
                return tail.startsWith("null") ? head : joined(head, "[");
            }
            if (stage > 1) {
                throw new NoSuchElementException("the list has ended");
            }
            if (objects.hasNext()) {
                byte[] piece = element.apply(objects.next());
                byte[] shown = first ? piece : joined(",", piece);
                first = false;
                return shown;
            }
            stage = 2;
            return tail.getBytes(StandardCharsets.UTF_8);
        }

        private static byte[] joined(byte[] left, String right) {
            byte[] whole = Arrays.copyOf(left, left.length + right.length());
            System.arraycopy(right.getBytes(StandardCharsets.UTF_8), 0, whole, left.length, right.length());
            return whole;
        }

        private static byte[] joined(String left, byte[] right) {
            byte[] whole = Arrays.copyOf(left.getBytes(StandardCharsets.UTF_8), left.length() + right.length);
            System.arraycopy(right, 0, whole, left.length(), right.length);
            return whole;
        }
    }
}
