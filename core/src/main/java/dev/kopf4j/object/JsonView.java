package dev.kopf4j.object;

import dev.kopf4j.BindingException;
import dev.kopf4j.View;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A view of a tree that nobody changes any more, or always of the newest of several such trees. Thread-safe; immutable
 * if there is only one.
 */
public class JsonView implements View {
    private final Supplier<? extends @Nullable JsonNode> source;
    private final Supplier<String> title;

    /**
     * A view of a tree.
     *
     * @param node the tree; an empty object where it is absent or not an object
     * @param title what it is, for messages: {@code spec of KopfExample default/x}
     */
    public JsonView(@Nullable JsonNode node, String title) {
        this(() -> node, () -> title);
    }

    /** A live view of whatever tree the source gives; its title is made when it is needed: most never are. */
    JsonView(Supplier<? extends @Nullable JsonNode> source, Supplier<String> title) {
        this.source = source;
        this.title = title;
    }

    /** The tree itself; not to be changed. */
    public final ObjectNode node() {
        return source.get() instanceof ObjectNode object ? object : Json.object();
    }

    final String title() {
        return title.get();
    }

    @Override
    public Optional<Object> get(String path) {
        return value(FieldPath.parse(path));
    }

    @Override
    public Optional<Object> get(List<String> keys) {
        return value(new FieldPath(keys));
    }

    private Optional<Object> value(FieldPath path) {
        return Optional.ofNullable(Json.toJava(path.resolve(node())));
    }

    @Override
    public View at(String path) {
        return part(FieldPath.parse(path));
    }

    @Override
    public View at(List<String> keys) {
        return part(new FieldPath(keys));
    }

    private View part(FieldPath path) {
        return new JsonView(path.resolve(node()), path + " in " + title());
    }

    @Override
    public <T> Optional<T> get(String path, Class<T> type) {
        FieldPath field = FieldPath.parse(path);
        JsonNode found = field.resolve(node());
        return found == null ? Optional.empty() : Optional.of(type.cast(ModelBinding.bind(found, type, field, title)));
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Object> getList(String path) {
        return FieldPath.parse(path).resolve(node()) instanceof ArrayNode list
                ? (List<Object>) Objects.requireNonNull(Json.toJava(list))
                : List.of();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Object> getMap(String path) {
        return FieldPath.parse(path).resolve(node()) instanceof ObjectNode map
                ? (Map<String, Object>) Objects.requireNonNull(Json.toJava(map))
                : Map.of();
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
    public String toJson() {
        return Json.text(node());
    }

    @Override
    public <T> T as(Class<T> type) throws BindingException {
        return type.cast(ModelBinding.bind(node(), type, FieldPath.ROOT, title));
    }

    @Override
    public Object as(Type type) throws BindingException {
        return ModelBinding.bind(node(), type, FieldPath.ROOT, title);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonView that && JsonEquality.equal(node(), that.node());
    }

    @Override
    public int hashCode() {
        // Numbers that are equal by value may be written in several ways: only the keys count.
        return node().propertyNames().hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
