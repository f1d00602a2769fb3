package dev.kopf4j.devcluster.fieldmanager;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How ownership takes a value apart; what structured-merge-diff calls a schema. Immutable. */
public interface MergeSchema {
    /** What kinds of parts a value has. */
    enum Structure {
        /** None: it is owned as a whole. */
        NONE,
        /** Fields. */
        FIELDS,
        /** List elements that some of their fields identify. */
        KEYED,
        /** List elements that identify themselves. */
        SET,
        /** Whatever the value has: fields of objects, nothing else. */
        ANY
    }

    /** What kinds of parts the value has. */
    Structure structure();

    /** The schema of a field; empty if it is not declared. */
    Optional<MergeSchema> field(String name);

    /** True if the field is declared by name; entries of maps are not. */
    boolean declares(String name);

    /** The schema of list elements. */
    default MergeSchema element() {
        return UNKNOWN;
    }

    /** The keys of list elements. */
    default List<String> keys() {
        return List.of();
    }

    /** The value of a key in elements that do not have it. */
    default Optional<JsonNode> keyDefault(String key) {
        return Optional.empty();
    }

    /** The JSON type that a value must have: object, array, string, numeric, boolean, or empty for any. */
    String type();

    /** A value without a declaration. */
    MergeSchema UNKNOWN = new MergeSchema() {
        @Override
        public Structure structure() {
            return Structure.ANY;
        }

        @Override
        public Optional<MergeSchema> field(String name) {
            return Optional.of(this);
        }

        @Override
        public boolean declares(String name) {
            return false;
        }

        @Override
        public String type() {
            return "";
        }
    };
}
