package dev.kopf4j.e2e.endurance.judgement;

/** What is counted of one handler, while it is judged. */
final class HandlerTally {
    int expected;
    int calls;
    int lost;
    int outdated;
    int repeated;
    int afterRecord;

    /** What was counted. */
    HandlerCount count(String handler) {
        return new HandlerCount(handler, expected, calls, lost, outdated, repeated, afterRecord);
    }
}
