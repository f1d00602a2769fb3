package dev.kopf4j.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * How large JSON may be: as a real API server has it, which limits the levels and the size of a request, and neither
 * keys, texts nor numbers. What it has accepted must be read: whoever may create one object could otherwise stop an
 * operator for all of them.
 *
 * @see <a href="https://pkg.go.dev/sigs.k8s.io/json">sigs.k8s.io/json</a>, which refuses more than 10,000 levels
 */
public final class JsonLimits {
    /** In one object. */
    public static final int SERVER_LEVELS_MAX = 10_000;

    /** Objects come in lists, events and reviews, and their managed fields have a few levels more than the fields. */
    private static final int LEVELS_MAX = SERVER_LEVELS_MAX + 100;

    private JsonLimits() {}

    /** A factory that reads what requests bring: one object. */
    public static JsonFactory ofRequests() {
        return factory(SERVER_LEVELS_MAX);
    }

    /** A factory that reads what servers answer and keep. */
    public static JsonFactory ofAnswers() {
        return factory(LEVELS_MAX);
    }

    private static JsonFactory factory(int levels) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(levels)
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(LEVELS_MAX)
                        .build())
                // Jackson's and Java's own take the square of the number's length.
                .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                .build();
    }
}
