package dev.kopf4j.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * How large JSON may be. What an API server has accepted must be read: whoever may create one object could otherwise
 * stop the operator for all of them. So keys, texts and numbers are as long as the server lets them be, which limits
 * the size of a request; and levels are as many as it accepts.
 *
 * @see <a href="https://pkg.go.dev/sigs.k8s.io/json">sigs.k8s.io/json</a>, which refuses more than 10,000 levels
 */
final class JsonLimits {
    /** In one object. */
    static final int SERVER_LEVELS_MAX = 10_000;

    /** Objects come in lists, events and reviews. */
    static final int LEVELS_MAX = SERVER_LEVELS_MAX + 16;

    private JsonLimits() {}

    /** A factory with these limits, both ways. */
    static JsonFactory factory() {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(LEVELS_MAX)
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
