package dev.kopf4j.e2e.endurance.judgement;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares the calls with what the cluster has shown. A change is told by the object and, for updates, by the value,
 * which is never used twice for an object.
 */
public final class Judgement {
    private static final List<String> CREATION = List.of("first", "second");
    static final List<String> UPDATE = List.of("changed", "followed");
    static final String DELETION = "released";

    private final Map<String, ObjectHistory> histories;
    private final CallsByChange calls;
    private final Map<String, HandlerTally> tallies = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();

    private final boolean elected;

    private Judgement(Map<String, ObjectHistory> histories, List<Call> calls, boolean elected) {
        this.histories = histories;
        this.calls = new CallsByChange(calls);
        this.elected = elected;
        CREATION.forEach(this::tally);
        UPDATE.forEach(this::tally);
        tally(DELETION);
        calls.forEach(call -> tally(call.handler()).calls++);
    }

    /**
     * Judges all calls in a file, when none comes any more.
     *
     * @param elected whether operators step down when they lose a lease: then a process forgets as a new one does
     */
    public static Judgement of(Histories histories, Path calls, boolean elected) {
        Judgement judgement = new Judgement(histories.all(), CallLog.read(calls), elected);
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
        if (history.hadFinalizer() && !history.exists()) {
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
        findings.add("lost: " + describe(change) + " was called " + calls.of(change));
    }

    /** Each state in which the object counted as handled after its creation, and the last one. */
    private void judgeUpdates(String uid, ObjectHistory history, String handler) {
        long before = created(uid, history);
        List<Long> values = new ArrayList<>(
                history.handled().stream().map(ObjectHistory.Handled::value).toList());
        if (history.exists() && !history.isDeleting()) {
            values.add(history.value());
        }
        for (long value : values) {
            if (value > before) {
                judgeUpdate(new Change(uid, handler, value), before);
                before = value;
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

    private void judgeUpdate(Change change, long before) {
        tally(change.handler()).expected++;
        if (calls.isDone(change)
                || calls.done(change.uid(), change.handler(), change.value(), Long.MAX_VALUE)
                        .isPresent()) {
            return; // of this state, or of a newer one at once
        }
        if (hasSeenPartBeforeAKill(change, before)) {
            tally(change.handler()).outdated++;
        } else {
            lose(change);
        }
    }

    private boolean hasSeenPartBeforeAKill(Change change, long before) {
        Optional<Call> part = calls.done(change.uid(), change.handler(), before, change.value() - 1);
        Optional<Call> whole = UPDATE.stream()
                .flatMap(other -> calls.done(change.uid(), other, change.value() - 1, change.value()).stream())
                .findFirst();
        return part.isPresent()
                && whole.isPresent()
                && (elected || !part.get().process().equals(whole.get().process()));
    }

    private String describe(Change change) {
        ObjectHistory history = histories.get(change.uid());
        return change.handler() + " of " + (history == null ? "an unseen object" : history.name()) + " (" + change.uid()
                + (change.value() == 0 ? "" : ", value " + change.value()) + ")";
    }
}
