package dev.kopf4j.cli.explanation;

import java.util.List;

/**
 * Something that an operator does with a resource, in words for people. Immutable.
 *
 * @param title which resource, and where
 * @param content what is fetched of which objects; empty if nothing is watched
 * @param reasons who needs it
 * @param rights what the operator's account must be allowed
 */
public record ExplainedWatch(String title, String content, List<String> reasons, List<String> rights) {
    /** Copies the lists. */
    public ExplainedWatch {
        reasons = List.copyOf(reasons);
        rights = List.copyOf(rights);
    }
}
