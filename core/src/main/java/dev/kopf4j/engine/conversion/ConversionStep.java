package dev.kopf4j.engine.conversion;

import java.util.List;

/**
 * One step from a version to another, without any between. Immutable.
 *
 * @param from the version that objects come in
 * @param to the version that they become
 * @param functions those of the step, one for each part
 */
record ConversionStep(String from, String to, List<ConversionFunction> functions) {
    /** For messages: {@code v1 -> v2}. */
    @Override
    public String toString() {
        return from + " -> " + to;
    }
}
