package dev.kopf4j;

/** Which versions of a resource an admission handler hears of: {@code matchPolicy} of a webhook. */
public enum MatchPolicy {
    /** Requests in any version: the API server converts the object into one that was asked for. */
    EQUIVALENT,
    /** Requests in the very versions that were asked for. */
    EXACT
}
