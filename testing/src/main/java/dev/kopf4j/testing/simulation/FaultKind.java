package dev.kopf4j.testing.simulation;

import java.util.List;

/** What goes wrong in a simulation. */
public enum FaultKind {
    /**
     * The operator ends as by SIGKILL, before or after one of its requests is carried out, and is started again. The
     * JVM still runs {@code finally} blocks and {@code catch (Throwable)} of the handlers that are cut off there, but
     * they reach nothing: calls of the client, of a {@link FakeHttp} and of a {@link FakeService} end them. A service
     * of the test's own has to call one of these before it does anything. Static fields live on, as the JVM does: what
     * an operator keeps there is not forgotten here, as it would be in a cluster.
     */
    KILL,
    /** The operator is stopped gracefully, and started again. */
    RESTART,
    /** A request is refused with 409, 429, 500 or 503. */
    REFUSAL,
    /** The connection of a request breaks, before or after it is carried out. */
    BROKEN_CONNECTION,
    /** The watches end, break, fall silent, or are told that their version is too old. */
    WATCH,
    /** Somebody else takes the lease; nothing happens without leader election. */
    LEASE,
    /**
     * An object is deleted and created anew under its name, as by {@code kubectl replace --force}, before the operator
     * patches it: while its handlers run, or what they have achieved is on its way. As on a cluster, an object with a
     * finalizer stays until that is removed; the new one comes in the same moment. What counts for each object (one
     * mail, one account) is to be counted by its uid, as more than one object may have had the name.
     */
    REPLACEMENT,
    /**
     * Somebody else edits or deletes an object that the operator owns: one that it, or its handlers' client, has
     * written with an owner. Not among the kinds by default: only operators that repair their children pass it.
     */
    CHILD,
    /**
     * A call of a {@link FakeHttp} fails with 503, is carried out and its answer is lost, or is the last thing that the
     * operator does before it is killed. Not among the kinds by default, as most tests have none.
     */
    SERVICE,
    /**
     * A replica is suspended for up to a minute, as by SIGSTOP or a paused machine, and goes on where it was; what it
     * was sending gets nowhere. Not among the kinds by default: for operators with {@link Simulated#replicas}, whose
     * lease may be over by then.
     */
    SUSPENSION,
    /**
     * A replica is cut off from the server for up to a minute: its watches fall silent, its requests and their answers
     * get nowhere. Not among the kinds by default, as {@link #SUSPENSION}.
     */
    CUT_OFF;

    /** True if a fault is called so in plans. */
    static boolean isKnown(String words) {
        List<FaultKind> all = List.of(values());
        return RequestFault.of(all).stream().anyMatch(each -> each.words().equals(words))
                || WorldFault.of(all).stream().anyMatch(each -> each.words().equals(words))
                || FakeHttp.Fault.of(all).stream().anyMatch(each -> each.words().equals(words));
    }
}
