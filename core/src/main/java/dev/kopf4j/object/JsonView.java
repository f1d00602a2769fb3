package dev.kopf4j.object;

import dev.kopf4j.BindingException;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A view of a tree that nobody changes any more, or a live view of the newest of several such trees. Thread-safe; the
 * first one is immutable.
 */
public class JsonView implements View {
    private final Supplier<? extends @Nullable JsonNode> source;
    private final Supplier<String> title;

    /**
     * A view of a tree.
     *
     * @param node the tree; if it is absent or not an object, the view is empty
     * @param title the title of the tree in messages, such as {@code spec of KopfExample default/x}
     */
    public JsonView(@Nullable JsonNode node, String title) {
        this(() -> node, () -> title);
    }

    /** A view of a copy of the map. */
    public static View of(Map<String, ? extends @Nullable Object> map) {
        return new JsonView(ModelBinding.json(map), "the view");
    }

    /**
     * Makes a live view of the tree that the source gives. The title is made only when it is needed, because most never
     * are.
     */
    JsonView(Supplier<? extends @Nullable JsonNode> source, Supplier<String> title) {
        this.source = source;
        this.title = title;
    }

    @Override
    public String requireString(List<String> keys) {
        return getString(keys)
                .orElseThrow(() -> new NoSuchElementException("there is no " + new FieldPath(keys) + " in " + title()));
    }

    /** Returns the tree itself, which must not be changed. */
    public final ObjectNode node() {
        return source.get() instanceof ObjectNode object ? object : Json.object();
    }

    /** The text of a field; empty if there is none. */
    final String text(String key) {
        return node().path(key).asString("");
    }

    final String title() {
        return title.get();
    }

    @Override
    public Optional<Object> get(List<String> keys) {
        return Optional.ofNullable(Json.toJava(new FieldPath(keys).resolve(node())));
    }

    @Override
    public <T> Optional<T> get(List<String> keys, Class<T> type) {
        return bound(new FieldPath(keys), type);
    }

    @Override
    public <T> Optional<T> get(List<String> keys, TypeRef<T> type) {
        return bound(new FieldPath(keys), type.type());
    }

    @SuppressWarnings("unchecked") // a value of the type is bound
    private <T> Optional<T> bound(FieldPath field, Type type) {
        JsonNode found = field.resolve(node());
        return found == null ? Optional.empty() : Optional.of((T) ModelBinding.bind(found, type, field, title));
    }

    @Override
    public View at(List<String> keys) {
        FieldPath path = new FieldPath(keys);
        return new JsonView(path.resolve(node()), path + " in " + title());
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Object> getList(List<String> keys) {
        return new FieldPath(keys).resolve(node()) instanceof ArrayNode list
                ? (List<Object>) Objects.requireNonNull(Json.toJava(list))
                : List.of();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Object> getMap(List<String> keys) {
        return new FieldPath(keys).resolve(node()) instanceof ObjectNode map
                ? (Map<String, Object>) Objects.requireNonNull(Json.toJava(map))
                : Map.of();
    }

    @Override
    public List<View> getViews(List<String> keys) {
        FieldPath path = new FieldPath(keys);
        List<View> views = new ArrayList<>();
        if (path.resolve(node()) instanceof ArrayNode list) {
            for (JsonNode element : list) {
                views.add(new JsonView(element, path.append(String.valueOf(views.size())) + " in " + title()));
            }
        }
        return Collections.unmodifiableList(views);
    }

    @Override
    public boolean isEmpty() {
        return node().isEmpty();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Object> toMap() {
        return (Map<String, Object>) Objects.requireNonNull(Json.toJava(node()));
    }

    @Override
    public Map<String, @Nullable Object> toMutableMap() {
        return Json.toMutableMap(node());
    }

    @Override
    public String toJson() {
        return Json.text(node());
    }

    @Override
    @SuppressWarnings("unchecked") // a value of the type is bound
    public <T> T as(Class<T> type) throws BindingException {
        return (T) ModelBinding.bind(node(), type, FieldPath.ROOT, title);
    }

    @Override
    @SuppressWarnings("unchecked") // a value of the type is bound
    public <T> T as(TypeRef<T> type) throws BindingException {
        return (T) ModelBinding.bind(node(), type.type(), FieldPath.ROOT, title);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonView that && JsonEquality.equal(node(), that.node());
    }

    @Override
    public int hashCode() {
        // Numbers that are equal by value may be written in several ways, so only the keys count; nulls are no values.
        return node().properties().stream()
                .filter(each -> !each.getValue().isNull())
                .mapToInt(each -> each.getKey().hashCode())
                .sum();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
