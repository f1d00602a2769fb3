package dev.kopf4j.devcluster.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * How large JSON may be: as a real server has it, which limits the levels ({@code maxNestingDepth} of
 * {@code sigs.k8s.io/json}) and the size of a request, and neither keys, texts nor numbers.
 */
public final class JsonLimits {
    /** The levels of a request's body. */
    public static final int LEVELS_MAX = 10_000;

    /** Objects are written in lists, events and reviews. */
    private static final int WRITTEN_LEVELS_MAX = LEVELS_MAX + 100;

    private JsonLimits() {}

    /** A factory with these limits, for what requests bring. */
    public static JsonFactory ofRequests() {
        return factory(LEVELS_MAX);
    }

    /** A factory for what is stored: managed fields have a few levels more than the fields themselves. */
    static JsonFactory ofStored() {
        return factory(WRITTEN_LEVELS_MAX);
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
                        .maxNestingDepth(WRITTEN_LEVELS_MAX)
                        .build())
                .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                .build();
    }
}
