package dev.kopf4j.e2e.endurance.judgement;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Compares the calls with what the cluster has shown. A change is told by the object and, for updates, by the value,
 * which is never used twice for an object.
 */
public final class Judgement {
    private static final List<String> CREATION = List.of("first", "second");
    static final List<String> UPDATE = List.of("changed", "followed");
    static final String DELETION = "released";

    private final Map<String, ObjectHistory> histories;
    private final Predicate<String> replaced;
    private final CallsByChange calls;
    private final Map<String, HandlerTally> tallies = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();

    private final Forgettings forgettings;

    private Judgement(Histories seen, List<Call> calls, Forgettings forgettings) {
        this.histories = seen.all();
        this.replaced = seen::isReplaced;
        this.calls = new CallsByChange(calls);
        this.forgettings = forgettings;
        CREATION.forEach(this::tally);
        UPDATE.forEach(this::tally);
        tally(DELETION);
        calls.forEach(call -> tally(call.handler()).calls++);
    }

    /**
     * Judges all calls in a file, when none comes any more.
     *
     * @param forgettings when operators have forgotten what their handlers had seen
     */
    public static Judgement of(Histories histories, Path calls, Forgettings forgettings) {
        Judgement judgement = new Judgement(histories, CallLog.read(calls), forgettings);
        judgement.calls.forEach(judgement::judgeRepetitions);
        judgement.histories.forEach(judgement::judgeObject);
        return judgement;
    }

    private HandlerTally tally(String handler) {
        return tallies.computeIfAbsent(handler, id -> new HandlerTally());
    }

    /** The counts, by the handlers' ids. */
    public List<HandlerCount> counts() {
        return tallies.entrySet().stream()
                .map(each -> each.getValue().count(each.getKey()))
                .toList();
    }

    /** In words what is wrong. */
    public List<String> findings() {
        return findings;
    }

    private void judgeRepetitions(Change change, List<Call> made) {
        Optional<ObjectHistory.Moment> record = Optional.ofNullable(histories.get(change.uid()))
                .flatMap(history -> SuccessRecord.of(history, change, made));
        HandlerTally tally = tally(change.handler());
        int before = 0;
        for (Call call : made) {
            if (record.isPresent()
                    && (call.begin() > record.get().millis()
                            || call.version() >= record.get().version())) {
                tally.afterRecord++;
                findings.add("repeated after a record: " + describe(change) + " recorded " + record.get() + ", called "
                        + made);
            } else if (call.end().outcome() != Call.Outcome.AGAIN) {
                before++;
            }
        }
        tally.repeated += Math.max(0, before - 1);
    }

    private void judgeObject(String uid, ObjectHistory history) {
        if (history.exists() || !history.handled().isEmpty()) {
            CREATION.forEach(handler -> expect(new Change(uid, handler, 0)));
            UPDATE.forEach(handler -> judgeUpdates(uid, history, handler));
        }
        long result = history.result();
        if (result > 0 && calls.of(new Change(uid, "first", 0)).stream().noneMatch(call -> call.value() == result)) {
            tally("first").lost++;
            findings.add("the result of another object: " + result + " is on " + history.name() + " (" + uid + ")");
        }
        if (history.hadFinalizer() && !history.exists() && !replaced.test(uid)) {
            expect(new Change(uid, DELETION, 0));
        }
    }

    private void expect(Change change) {
        tally(change.handler()).expected++;
        if (!calls.isDone(change)) {
            lose(change);
        }
    }

    private void lose(Change change) {
        tally(change.handler()).lost++;
        findings.add("lost: " + describe(change) + " was called " + calls.of(change) + "; all calls for the object: "
                + calls.ofObject(change.uid()));
    }

    /** Each state in which the object counted as handled after its creation, and the last one. */
    private void judgeUpdates(String uid, ObjectHistory history, String handler) {
        long before = created(uid, history);
        // A creation handler that was tried again may have seen a change that is handled as an update, too.
        long heard = before - 1;
        List<ObjectHistory.Handled> states = new ArrayList<>(history.handled());
        if (history.exists() && !history.isDeleting()) {
            states.add(new ObjectHistory.Handled(history.value(), ObjectHistory.Moment.END));
        }
        for (ObjectHistory.Handled state : states) {
            if (state.value() > before) {
                judgeUpdate(new Change(uid, handler, state.value()), heard, state.moment());
                before = state.value();
                heard = before;
            }
        }
    }

    /** The newest state that a creation handler has seen, or in which the creation counted as handled. */
    private long created(String uid, ObjectHistory history) {
        long handled =
                history.handled().isEmpty() ? 0 : history.handled().getFirst().value();
        return CREATION.stream()
                .flatMap(handler -> calls.of(new Change(uid, handler, 0)).stream())
                .filter(Call::isDone)
                .mapToLong(Call::value)
                .reduce(handled, Math::max);
    }

    private void judgeUpdate(Change change, long heard, ObjectHistory.Moment handled) {
        tally(change.handler()).expected++;
        if (!calls.done(change.uid(), change.handler(), change.value() - 1, Long.MAX_VALUE)
                .isEmpty()) {
            return; // of this state, or of a newer one at once
        }
        if (hasSeenPartBeforeAForgetting(change, heard, handled)) {
            tally(change.handler()).outdated++;
        } else {
            lose(change);
        }
    }

    /**
     * A handler that had ended is not called for a change that came before the others had ended, if the operator has
     * forgotten meanwhile what it had seen; the others are.
     */
    private boolean hasSeenPartBeforeAForgetting(Change change, long heard, ObjectHistory.Moment handled) {
        return UPDATE.stream().anyMatch(other -> calls.isDone(change.by(other)))
                && calls.done(change.uid(), change.handler(), heard, change.value() - 1).stream()
                        .anyMatch(part -> forgettings.isBetween(part.end().millis(), handled.millis()));
    }

    private String describe(Change change) {
        ObjectHistory history = histories.get(change.uid());
        return change.handler() + " of " + (history == null ? "an unseen object" : history.name()) + " (" + change.uid()
                + (change.value() == 0 ? "" : ", value " + change.value()) + ")";
    }
}
