package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A set of field paths, as a tree; each node may be a member itself. Confined to one request. */
final class FieldSet {
    private static final String SELF = ".";
    private boolean member;
    private final TreeMap<String, FieldSet> children = new TreeMap<>();

    /** Reads FieldsV1, except for names of a kind that is not known. */
    static FieldSet parse(JsonNode fields) {
        FieldSet set = new FieldSet();
        for (Map.Entry<String, JsonNode> entry : fields.properties()) {
            if (entry.getKey().equals(SELF)) {
                set.member = true;
            } else if (PathElements.isKnown(entry.getKey())) {
                FieldSet child = parse(entry.getValue());
                child.member |= entry.getValue().isEmpty();
                set.children.put(entry.getKey(), child);
            }
        }
        return set;
    }

    /** Why FieldsV1 cannot be read; empty if they can: {@code fieldpath/serialize.go} of structured-merge-diff v4.6. */
    static Optional<String> problem(JsonNode fields) {
        if (!fields.isObject() && !fields.isNull() && !fields.isMissingNode()) {
            return Optional.of("ReadMapCB: expect { or n, but found " + Json.text(fields));
        }
        for (Map.Entry<String, JsonNode> entry : fields.properties()) {
            String name = entry.getKey();
            Optional<String> problem = name.equals(SELF) ? Optional.empty() : PathElements.problem(name);
            if (problem.isEmpty() && PathElements.isKnown(name)) {
                problem = problem(entry.getValue());
            }
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    /** Writes FieldsV1. */
    ObjectNode write() {
        ObjectNode fields = Json.object();
        if (member && !children.isEmpty()) {
            fields.putObject(SELF);
        }
        children.forEach((name, child) -> fields.set(name, child.write()));
        return fields;
    }

    void makeMember() {
        member = true;
    }

    boolean isEmpty() {
        return !member && children.isEmpty();
    }

    void removeMember() {
        member = false;
    }

    Map<String, FieldSet> children() {
        return children;
    }

    FieldSet child(String name) {
        return children.computeIfAbsent(name, key -> new FieldSet());
    }

    @Nullable FieldSet find(List<String> path) {
        FieldSet found = this;
        for (String name : path) {
            found = found.children.get(name);
            if (found == null) {
                return null;
            }
        }
        return found;
    }

    void add(List<String> path) {
        FieldSet node = this;
        for (String name : path) {
            node = node.child(name);
        }
        node.member = true;
    }

    void addAll(FieldSet other) {
        member |= other.member;
        other.children.forEach((name, child) -> child(name).addAll(child));
    }

    FieldSet copy() {
        FieldSet copy = new FieldSet();
        copy.addAll(this);
        return copy;
    }

    void removeAll(FieldSet other) {
        member &= !other.member;
        other.children.forEach((name, removed) -> {
            FieldSet child = children.get(name);
            if (child != null) {
                child.removeAll(removed);
                if (child.isEmpty()) {
                    children.remove(name);
                }
            }
        });
    }

    FieldSet intersection(FieldSet other) {
        FieldSet common = new FieldSet();
        common.member = member && other.member;
        children.forEach((name, child) -> {
            FieldSet counterpart = other.children.get(name);
            if (counterpart != null) {
                FieldSet below = child.intersection(counterpart);
                if (!below.isEmpty()) {
                    common.children.put(name, below);
                }
            }
        });
        return common;
    }

    /**
     * Removes fields with all below, by a predicate on their first and second name; the second is empty for a first.
     */
    void drop(BiPredicate<String, String> unwanted) {
        children.entrySet().removeIf(entry -> unwanted.test(entry.getKey(), ""));
        for (Map.Entry<String, FieldSet> entry : children.entrySet()) {
            entry.getValue().children.keySet().removeIf(name -> unwanted.test(entry.getKey(), name));
        }
        children.values().removeIf(FieldSet::isEmpty);
    }

    /** The paths of all members. */
    List<List<String>> paths() {
        List<List<String>> paths = new ArrayList<>();
        collect(List.of(), paths);
        return paths;
    }

    private void collect(List<String> here, List<List<String>> into) {
        if (member) {
            into.add(here);
        }
        children.forEach((name, child) -> {
            List<String> below = new ArrayList<>(here);
            below.add(name);
            child.collect(List.copyOf(below), into);
        });
    }

    boolean sameAs(FieldSet other) {
        return member == other.member
                && children.keySet().equals(other.children.keySet())
                && children.entrySet().stream()
                        .allMatch(entry -> entry.getValue().sameAs(other.child(entry.getKey())));
    }
}
