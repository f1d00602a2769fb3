package dev.kopf4j.engine.children.desired;

import dev.kopf4j.Body;
import dev.kopf4j.Child;
import dev.kopf4j.Children;
import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What one call of a handler says of the children. Confined to the call, and then to the object's worker. */
public final class DesiredChildren implements Children {
    private final ObjectNode parent;
    private final String handler;
    private final String fieldManager;
    private final Supplier<List<Body>> existing;
    private final List<DesiredChild> all = new ArrayList<>();

    /**
     * No children.
     *
     * @param parent the object whose children they are
     * @param handler the id of the handler
     * @param fieldManager who applies them
     * @param existing finds those that exist
     */
    public DesiredChildren(ObjectNode parent, String handler, String fieldManager, Supplier<List<Body>> existing) {
        this.parent = parent;
        this.handler = handler;
        this.fieldManager = fieldManager;
        this.existing = existing;
    }

    @Override
    public List<Body> live() {
        return existing.get();
    }

    @Override
    public Child add(Object object) {
        List<ObjectNode> objects = new ChildForms(parent).read(object);
        if (objects.size() != 1) {
            throw new IllegalArgumentException(
                    "one child is added, but there are " + objects.size() + " objects in it; use addAll");
        }
        return take(objects.getFirst());
    }

    @Override
    public void addAll(@Nullable Object objects) {
        switch (objects) {
            case null -> {}
            case Child child -> requireOwn(child);
            case Children children -> requireOwn(children);
            case Iterable<?> many when !(objects instanceof View) -> many.forEach(this::addAll);
            default -> new ChildForms(parent).read(objects).forEach(this::take);
        }
    }

    private void requireOwn(Object returned) {
        if (returned != this && !(returned instanceof DesiredChild child && all.contains(child))) {
            throw new IllegalArgumentException("these are the children of another call: " + returned);
        }
    }

    private DesiredChild take(ObjectNode object) {
        ChildConfiguration configuration = ChildConfiguration.of(object, parent, handler, fieldManager, all.size());
        for (DesiredChild other : all) {
            if (other.configuration().isSameObject(configuration)) {
                throw new IllegalArgumentException(
                        "the child " + configuration.title() + " is added twice; give each a name of its own");
            }
        }
        DesiredChild child = new DesiredChild(configuration);
        all.add(child);
        return child;
    }

    /**
     * The children, those that others are after first.
     *
     * @throws IllegalArgumentException if they wait for each other
     */
    public List<DesiredChild> inOrder() {
        List<DesiredChild> ordered = new ArrayList<>();
        for (DesiredChild child : all) {
            if (child.isAfter(child, new ArrayList<>())) {
                throw new IllegalArgumentException(
                        "the child " + child + " is after itself: its dependencies go round in a circle");
            }
        }
        all.forEach(child -> place(child, ordered));
        return ordered;
    }

    private static void place(DesiredChild child, List<DesiredChild> ordered) {
        if (!ordered.contains(child)) {
            child.before().forEach(earlier -> place(earlier, ordered));
            ordered.add(child);
        }
    }

    /**
     * The forms in which handlers give objects: maps, views, models of client libraries, texts of YAML, and collections
     * of these. Pure.
     *
     * @param parent the object whose values texts of YAML may name
     */
    private record ChildForms(ObjectNode parent) {
        /** All objects in what a handler has given; new trees. */
        List<ObjectNode> read(@Nullable Object given) {
            return switch (given) {
                case null -> List.of();
                case String yaml -> new YamlTemplate(yaml).fill(parent);
                case View view -> List.of(object(view.toMap()));
                case JsonNode tree -> List.of(object(tree));
                case Map<?, ?> map -> List.of(object(map));
                case Iterable<?> many -> all(many);
                case Object[] many -> all(Arrays.asList(many));
                default -> List.of(object(IntegrationLookup.required(given).toMap(given)));
            };
        }

        private List<ObjectNode> all(Iterable<?> many) {
            List<ObjectNode> found = new ArrayList<>();
            for (Object one : many) {
                found.addAll(read(one));
            }
            return found;
        }

        private static ObjectNode object(Object value) {
            if (Json.fromJava(value) instanceof ObjectNode tree) {
                return tree;
            }
            throw new IllegalArgumentException("a child must be an object, but is: " + value);
        }
    }
}
