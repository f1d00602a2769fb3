package dev.kopf4j.devcluster.fieldmanager;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How a value is taken apart for ownership. Immutable. */
public interface MergeSchema {
    /** The parts of a value. */
    enum Structure {
        /** None: it is owned as a whole. */
        NONE,
        /** Fields. */
        FIELDS,
        /** List elements told apart by keys. */
        KEYED,
        /** List elements that are their own keys. */
        SET,
        /** Whatever the value has: fields of objects, nothing else. */
        ANY
    }

    /** What its parts are. */
    Structure structure();

    /** The shape of a field; none when it is not declared. */
    Optional<MergeSchema> field(String name);

    /** Whether a field is a declared one, in contrast to the entries of a map. */
    boolean declares(String name);

    /** The shape of list elements. */
    MergeSchema element();

    /** The keys of list elements. */
    List<String> keys();

    /** What a key is when an element does not have it. */
    default Optional<JsonNode> keyDefault(String key) {
        return Optional.empty();
    }

    /** The JSON type that a value must have: object, array, string, numeric, boolean, or empty for any. */
    String type();

    /** A value of which nothing is known. */
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
        public MergeSchema element() {
            return this;
        }

        @Override
        public List<String> keys() {
            return List.of();
        }

        @Override
        public String type() {
            return "";
        }
    };
}
