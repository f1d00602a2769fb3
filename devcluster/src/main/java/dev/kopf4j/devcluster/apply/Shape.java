package dev.kopf4j.devcluster.apply;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How a value is taken apart for ownership. Immutable. */
public interface Shape {
    /** The parts of a value. */
    enum Parts {
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
    Parts parts();

    /** The shape of a field; none when it is not declared. */
    Optional<Shape> field(String name);

    /** Whether a field is a declared one, in contrast to the entries of a map. */
    boolean declares(String name);

    /** The shape of list elements. */
    Shape element();

    /** The keys of list elements. */
    List<String> keys();

    /** What a key is when an element does not have it. */
    default Optional<JsonNode> keyDefault(String key) {
        return Optional.empty();
    }

    /** The JSON type that a value must have: object, array, string, numeric, boolean, or empty for any. */
    String type();

    /** A value of which nothing is known. */
    Shape UNKNOWN = new Shape() {
        @Override
        public Parts parts() {
            return Parts.ANY;
        }

        @Override
        public Optional<Shape> field(String name) {
            return Optional.of(this);
        }

        @Override
        public boolean declares(String name) {
            return false;
        }

        @Override
        public Shape element() {
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
