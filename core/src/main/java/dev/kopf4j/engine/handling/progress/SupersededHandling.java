package dev.kopf4j.engine.handling.progress;

import dev.kopf4j.Reason;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A handling for another reason, which was left unfinished.
 *
 * @param reason the other reason
 * @param records how far its handlers have come
 */
public record SupersededHandling(Reason reason, List<ProgressRecord> records) {
    private static final List<Reason> HANDLED = List.of(Reason.CREATE, Reason.UPDATE, Reason.DELETE, Reason.RESUME);

    /** Those for other reasons than the present one. */
    static List<SupersededHandling> among(Collection<ProgressRecord> records, Reason present) {
        List<SupersededHandling> found = new ArrayList<>();
        for (Reason other : HANDLED) {
            List<ProgressRecord> unfinished = other == present ? List.of() : withPurpose(records, other);
            if (!unfinished.isEmpty()) {
                found.add(new SupersededHandling(other, unfinished));
            }
        }
        return found;
    }

    static List<ProgressRecord> withPurpose(Collection<ProgressRecord> records, Reason purpose) {
        return records.stream()
                .filter(record -> purpose.word().equals(record.purpose()))
                .toList();
    }

    /** How many handlers have succeeded, failed, and not ended yet, in words. */
    public String counts() {
        long succeeded = records.stream().filter(ProgressRecord::success).count();
        long failed = records.stream().filter(ProgressRecord::failure).count();
        long left = records.size() - succeeded - failed;
        return succeeded + " succeeded; " + failed + " failed; " + left + " left to the moment";
    }
}
