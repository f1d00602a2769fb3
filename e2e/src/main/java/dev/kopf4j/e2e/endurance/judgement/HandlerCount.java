package dev.kopf4j.e2e.endurance.judgement;

/**
 * What became of the changes that one handler had to hear of.
 *
 * @param handler its id
 * @param expected how many changes it had to hear of
 * @param calls how often it was called, all in all
 * @param lost changes that it has not heard of
 * @param outdated changes of which it has heard an earlier state, before its process was killed or stepped down: as
 *     documented, the others finish what was begun
 * @param repeated calls for a change that it had begun or done before, as nothing was recorded
 * @param afterRecord calls for a change whose success was recorded before
 */
public record HandlerCount(
        String handler, int expected, int calls, int lost, int outdated, int repeated, int afterRecord) {
    /** Whether a promise was broken. */
    public boolean isBroken() {
        return lost > 0 || afterRecord > 0;
    }
}
