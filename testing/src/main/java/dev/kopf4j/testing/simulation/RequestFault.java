package dev.kopf4j.testing.simulation;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What may happen to one request of the operator or of its handlers. */
enum RequestFault {
    KILL_BEFORE(FaultKind.KILL, "kill before request", 0),
    KILL_AFTER(FaultKind.KILL, "kill after request", 0),
    CONFLICT(FaultKind.REFUSAL, "conflict at request", 409),
    TOO_MANY(FaultKind.REFUSAL, "429 at request", 429),
    INTERNAL(FaultKind.REFUSAL, "500 at request", 500),
    UNAVAILABLE(FaultKind.REFUSAL, "503 at request", 503),
    LOST_REQUEST(FaultKind.BROKEN_CONNECTION, "connection broken before request", 0),
    LOST_RESPONSE(FaultKind.BROKEN_CONNECTION, "connection broken after request", 0),
    REPLACED(FaultKind.REPLACEMENT, "object replaced before patch", 0);

    private final FaultKind kind;
    private final String words;
    private final int status;

    RequestFault(FaultKind kind, String words, int status) {
        this.kind = kind;
        this.words = words;
        this.status = status;
    }

    static List<RequestFault> of(Collection<FaultKind> kinds) {
        return Arrays.stream(values()).filter(each -> kinds.contains(each.kind)).toList();
    }

    String words() {
        return words;
    }

    /** The HTTP status of a refusal. */
    int status() {
        return status;
    }

    /** True if a request of that method can get it. */
    boolean isOf(String method) {
        return switch (this) {
            case CONFLICT -> !method.equals("GET");
            case REPLACED -> method.equals("PATCH");
            default -> true;
        };
    }
}
