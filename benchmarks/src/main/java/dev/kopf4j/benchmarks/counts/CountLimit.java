package dev.kopf4j.benchmarks.counts;

import java.util.Locale;

/** The table of what is counted, what it was when its limit was set, and the limit. */
public enum CountLimit {
    PATCHES(
            "PATCHes for a created object",
            1,
            1,
            "one request for a success, its result and the handled state is what the framework promises",
            "OutgoingPatch, PatchSender, FinalizerDecision"),
    REQUESTS(
            "all requests for a created object",
            1.002,
            1.05,
            "nothing but the PATCH: a hundredth and less is watches that end, and are opened again",
            "MeteredServer sees each of them; then ConsistencyCheck, ListAndWatchLoop"),
    ALLOCATED(
            "bytes allocated for a created object, without transport",
            69_200,
            76_000,
            "a tenth more than measured: the same run allocates the same within a hundredth",
            "a profile of allocations: ObjectProcessor, json, persistence"),
    ALLOCATED_OVER_TLS(
            "bytes allocated for a created object, over TLS",
            94_600,
            118_000,
            "a quarter more than measured",
            "a profile of allocations: client.socket, if the count without transport has not risen as well"),
    REQUESTS_AT_REST(
            "requests in an hour without any event",
            102,
            128,
            "three watches: a silent one is opened again after some minutes",
            "ListAndWatchLoop, ConsistencyCheck"),
    PLATFORM_THREADS(
            "platform threads at rest",
            12,
            14,
            "the JVM's own, two carriers, and that of the run: none for an object",
            "the dump of threads of an OperatorProcess"),
    VIRTUAL_THREADS(
            "virtual threads at rest",
            8,
            11,
            "one for each stream, and the framework's own: none for an object",
            "the dump of threads of an OperatorProcess"),
    SOCKETS(
            "sockets after the load",
            35,
            40,
            "one for each of three watches and of 32 requests at a time, and some that were about to be closed",
            "client.socket, ConcurrencyLimit, ListAndWatchLoop"),
    OBJECT(
            "bytes for an object at rest",
            200,
            250,
            "a quarter more than measured",
            "KnownObjects, ObjectQueue, ObjectMemory, CompactUid"),
    TIMER(
            "bytes for an idle timer, its body of 399 bytes included",
            1_127,
            1_410,
            "a quarter more than measured",
            "ObjectDaemons, RunningDaemon, CompactBody"),
    INDEX_ENTRY(
            "bytes for an index entry, its key and value included",
            238,
            298,
            "a quarter more than measured",
            "LiveIndex, ObjectIndexer"),
    PARENT(
            "bytes for a parent with three children, all together",
            1_992,
            2_490,
            "a quarter more than measured",
            "ChildrenMemory, ChildIndex, LiveChild, KnownChildren");

    private final String title;
    private final double measured;
    private final double limit;
    private final String reason;
    private final String place;

    CountLimit(String title, double measured, double limit, String reason, String place) {
        this.title = title;
        this.measured = measured;
        this.limit = limit;
        this.reason = reason;
        this.place = place;
    }

    /** What is counted. */
    public String title() {
        return title;
    }

    /** The count when the limit was set. */
    public double measured() {
        return measured;
    }

    /** The most that is allowed. */
    public double limit() {
        return limit;
    }

    /** Why this is the limit. */
    public String reason() {
        return reason;
    }

    /** The message of a count that is too high. */
    public String tooHigh(double count) {
        return String.format(
                Locale.ROOT,
                "%s: %s. The limit is %s, as it was %s when that was set (%s). Where to look: %s. If the rise is worth it, change the row %s of CountLimit",
                title,
                text(count),
                text(limit),
                text(measured),
                reason,
                place,
                name());
    }

    /** A count, with as many digits as matter. */
    static String text(double count) {
        return String.format(Locale.ROOT, count < 100 ? "%.3f" : "%,.0f", count).replaceAll("\\.000$", "");
    }
}
