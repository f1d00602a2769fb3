package dev.kopf4j.engine.conversion;

import dev.kopf4j.OnConvert;
import java.lang.reflect.Type;

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
        ConversionPart part,
        Type type,
        boolean dropUnknown,
        String source,
        ConversionInvoker invoker) {
    /** The API group of the definition. */
    public String group() {
        return definition.substring(definition.indexOf('.') + 1);
    }

    /** For messages: {@code Example.up(V1Spec), which converts the spec of widgets.example.com from v1 to v2}. */
    @Override
    public String toString() {
        return source + ", which converts the " + part.key() + " of " + definition + " from " + from + " to " + to;
    }
}
