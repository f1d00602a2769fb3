package dev.kopf4j.e2e.endurance.judgement;

/**
 * What a handler has to hear of. Immutable.
 *
 * @param uid the object
 * @param handler its id
 * @param value what the object asks for, if it was updated; 0 for creations and deletions
 */
record Change(String uid, String handler, long value) {
    /** The one that the call was about. */
    static Change of(Call call) {
        return new Change(call.uid(), call.handler(), Judgement.UPDATE.contains(call.handler()) ? call.value() : 0);
    }

    /** The same for another handler. */
    Change by(String other) {
        return new Change(uid, other, value);
    }
}
