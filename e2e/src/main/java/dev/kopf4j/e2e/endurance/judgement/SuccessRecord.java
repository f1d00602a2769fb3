package dev.kopf4j.e2e.endurance.judgement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds when a success was recorded in the cluster: from then on the handler must not be called for it again. */
final class SuccessRecord {
    private SuccessRecord() {}

    /** The first sign of a success of this change that came after its end. */
    static Optional<ObjectHistory.Moment> of(ObjectHistory history, Change change, List<Call> made) {
        Optional<Call> done = made.stream().filter(Call::isDone).findFirst();
        if (done.isEmpty()) {
            return Optional.empty();
        }
        List<ObjectHistory.Moment> signs = new ArrayList<>(history.successes(change.handler()));
        history.gone().ifPresent(signs::add);
        if (!change.handler().equals(Judgement.DELETION)) {
            history.handled().stream()
                    .filter(each -> change.value() == 0 || each.value() == change.value())
                    .map(ObjectHistory.Handled::moment)
                    .forEach(signs::add);
        }
        return signs.stream()
                .filter(sign -> sign.millis() >= done.get().end().millis()
                        && sign.version() > done.get().version())
                .min(Comparator.comparingLong(ObjectHistory.Moment::millis));
    }
}
