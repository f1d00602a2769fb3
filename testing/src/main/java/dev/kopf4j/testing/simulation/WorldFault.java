package dev.kopf4j.testing.simulation;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What may happen to the operator or its watches at any time. */
enum WorldFault {
    KILL(FaultKind.KILL, "kill"),
    RESTART(FaultKind.RESTART, "restart"),
    WATCHES_BREAK(FaultKind.WATCH, "watches break"),
    WATCHES_SILENT(FaultKind.WATCH, "watches fall silent"),
    WATCHES_EXPIRE(FaultKind.WATCH, "old versions are forgotten"),
    LEASE_LOST(FaultKind.LEASE, "lease is taken"),
    CHILD_EDITED(FaultKind.CHILD, "somebody edits a child"),
    CHILD_DELETED(FaultKind.CHILD, "somebody deletes a child"),
    SUSPENDED(FaultKind.SUSPENSION, "a replica is suspended"),
    CUT_OFF(FaultKind.CUT_OFF, "a replica is cut off");

    private final FaultKind kind;
    private final String words;

    WorldFault(FaultKind kind, String words) {
        this.kind = kind;
        this.words = words;
    }

    static List<WorldFault> of(Collection<FaultKind> kinds) {
        return Arrays.stream(values()).filter(each -> kinds.contains(each.kind)).toList();
    }

    String words() {
        return words;
    }
}
