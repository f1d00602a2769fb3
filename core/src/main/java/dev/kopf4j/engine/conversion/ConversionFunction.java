package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import dev.kopf4j.OnConvert;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A function that converts a part of an object from one version to another. Immutable.
 *
 * @param definition the name of the custom resource definition
 * @param from the version that objects come in, or {@link OnConvert#HUB}
 * @param to the version that they become, or {@link OnConvert#HUB}
 * @param part what it converts
 * @param type what the part is bound to
 * @param dropUnknown true if the fields that the type does not know are dropped
 * @param source where it was declared, for messages
 * @param invoker calls it
 */
public record ConversionFunction(
        String definition,
        String from,
        String to,
        Part part,
        Type type,
        boolean dropUnknown,
        String source,
        Invoker invoker) {
    /** The API group of the definition. */
    public String group() {
        return definition.substring(definition.indexOf('.') + 1);
    }

    /** For messages: {@code Example.up(V1Spec), which converts the spec of widgets.example.com from v1 to v2}. */
    @Override
    public String toString() {
        return source + ", which converts the " + part.key() + " of " + definition + " from " + from + " to " + to;
    }

    /** What of an object a function converts. */
    public enum Part {
        /** Its {@code spec}. */
        SPEC("spec"),
        /** Its {@code status}. */
        STATUS("status"),
        /** All of it. */
        BODY("body");

        private final String key;

        Part(String key) {
            this.key = key;
        }

        /** Its key in the object, and the name of parameters that get it. */
        public String key() {
            return key;
        }
    }

    /** Calls the user's function. Thread-safe, as far as the function is. */
    @FunctionalInterface
    public interface Invoker {
        /**
         * Calls it.
         *
         * @param part what is converted, in the function's type
         * @param body the whole object as it comes
         * @return what it has returned
         * @throws Exception what it has thrown
         */
        @Nullable Object convert(Object part, Body body) throws Exception;
    }
}
