package dev.kopf4j.types.comparison;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Compares the schemas of a version, from the whole object down. Used once. */
final class SchemaComparison {
    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

    private static final String ANYTHING = "anything";
    private static final String OPEN = "x-kubernetes-preserve-unknown-fields";

    private final Changes changes;
    private final String version;

    /**
     * A comparison.
     *
     * @param changes gets what has changed
     * @param version the name of the version, for messages
     */
    SchemaComparison(Changes changes, String version) {
        this.changes = changes;
        this.version = version;
    }

    void compare(Tree old, Tree fresh, String path) {
        if (!type(old).equals(type(fresh)) && !isWider(old, fresh, path)) {
            return;
        }
        new ValueComparison(changes, at(path)).compare(old, fresh);
        if (type(fresh).equals(ANYTHING) && !type(old).equals(ANYTHING)) {
            described(old, fresh, path);
            required(old, fresh, path);
            return;
        }
        new ListComparison(changes, at(path)).compare(old, fresh);
        openness(old, fresh, path);
        properties(old, fresh, path);
        required(old, fresh, path);
        nested(old, fresh, "items", path + "[]");
        nested(old, fresh, "additionalProperties", path + "{}");
    }

    private String at(String path) {
        return path.isEmpty() ? version : version + " " + path;
    }

    private static String type(Tree schema) {
        if (schema.flag("x-kubernetes-int-or-string")) {
            return "integer or string";
        }
        return schema.has("type") ? schema.text("type") : ANYTHING;
    }

    /** Tells of another type. True if it has all values of the old one, as long as nothing else restricts them. */
    private boolean isWider(Tree old, Tree fresh, String path) {
        String what = "the type was " + type(old) + ", and would be " + type(fresh);
        boolean wider = type(fresh).equals(ANYTHING)
                || (type(old).equals("integer") && type(fresh).equals("number"))
                || (type(fresh).equals("integer or string")
                        && List.of("integer", "string").contains(type(old)));
        if (wider) {
            changes.harmless(at(path), what);
        } else {
            changes.breaking(at(path), what);
        }
        return wider;
    }

    private void openness(Tree old, Tree fresh, String path) {
        if (old.flag(OPEN) && !fresh.flag(OPEN)) {
            changes.breaking(at(path), "fields that the schema does not know were kept, and would be dropped");
        } else if (!old.flag(OPEN) && fresh.flag(OPEN)) {
            changes.harmless(at(path), "fields that the schema does not know are kept");
        }
    }

    /** All objects have these, whether the schema says so or not. */
    private static Map<String, Tree> fields(Tree schema, String path) {
        Map<String, Tree> fields = schema.at("properties").trees();
        if (path.isEmpty()) {
            fields.keySet().removeAll(COMMON);
        }
        return fields;
    }

    private void properties(Tree old, Tree fresh, String path) {
        Map<String, Tree> before = fields(old, path);
        Map<String, Tree> after = fields(fresh, path);
        before.forEach((name, schema) -> {
            String field = path.isEmpty() ? name : path + "." + name;
            Tree now = after.get(name);
            if (now != null) {
                compare(schema, now, field);
            } else if (fresh.flag(OPEN)) {
                changes.harmless(at(field), "the field is not described any more, but kept");
            } else {
                changes.breaking(at(field), "the field is gone: its values would be dropped");
            }
        });
        after.keySet().stream()
                .filter(name -> !before.containsKey(name))
                .forEach(name -> changes.harmless(at(path.isEmpty() ? name : path + "." + name), "the field is new"));
    }

    /** Fields that are still described, where all others are kept. */
    private void described(Tree old, Tree fresh, String path) {
        Map<String, Tree> before = fields(old, path);
        fields(fresh, path).forEach((name, schema) -> {
            Tree former = before.get(name);
            if (former != null) {
                compare(former, schema, path.isEmpty() ? name : path + "." + name);
            }
        });
    }

    private void required(Tree old, Tree fresh, String path) {
        for (Object name : fresh.list("required")) {
            if (path.isEmpty() && COMMON.contains(name)) {
                continue;
            }
            boolean filled = fresh.at("properties").at(String.valueOf(name)).has("default");
            if (!old.list("required").contains(name) && !filled) {
                changes.breaking(
                        at(path.isEmpty() ? String.valueOf(name) : path + "." + name),
                        "the field would be required, and has no default");
            }
        }
        for (Object name : old.list("required")) {
            if (!fresh.list("required").contains(name) && fields(fresh, path).containsKey(String.valueOf(name))) {
                changes.harmless(
                        at(path.isEmpty() ? String.valueOf(name) : path + "." + name),
                        "the field is not required any more");
            }
        }
    }

    private void nested(Tree old, Tree fresh, String key, String path) {
        if (old.get(key) instanceof Map<?, ?> && fresh.get(key) instanceof Map<?, ?>) {
            compare(old.at(key), fresh.at(key), path);
        } else if (!Objects.equals(old.get(key), fresh.get(key))) {
            if (old.has(key) && !fresh.flag(OPEN)) {
                changes.breaking(at(path), "any keys were allowed, and would be dropped");
            } else {
                changes.harmless(at(path), "any keys are allowed in another way than before");
            }
        }
    }
}
