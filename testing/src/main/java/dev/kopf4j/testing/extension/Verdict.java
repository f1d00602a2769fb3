package dev.kopf4j.testing.extension;

import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.testing.assertion.UsedRight;
import dev.kopf4j.testing.recording.LogLine;
import dev.kopf4j.testing.recording.Recording;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a test has to fail for although its own assertions hold. Immutable.
 *
 * @param recording what the operator has done
 * @param rights whether it must not have been forbidden anything
 */
record Verdict(Recording recording, boolean rights) {
    void check(boolean failedBefore) {
        recording.failure().ifPresent(failure -> {
            String when = failedBefore ? "has failed" : "has failed while it was stopped";
            throw new AssertionError(
                    "the operator " + when + " (reraise = false lets the test look at that itself): "
                            + failure.getMessage() + "\n" + recording.story(),
                    failure);
        });
        List<LogLine> errors = recording.logs().stream()
                .filter(line -> line.isFrameworkError() && !isConflictOnDemand(line))
                .toList();
        if (!errors.isEmpty()) {
            throw new AssertionError("the framework has logged unexpected errors:\n  "
                    + errors.stream().map(LogLine::toString).collect(Collectors.joining("\n  "))
                    + "\n" + recording.story());
        }
        if (rights) {
            checkRights();
        }
    }

    /** Conflicts pass: the test has asked for more at a time than the framework answers at once. */
    private static boolean isConflictOnDemand(LogLine line) {
        return line.toString().contains("409 Conflict: " + Faults.WORDS);
    }

    private void checkRights() {
        List<String> forbidden = recording.requests().stream()
                .filter(request -> request.byOperator() && request.status() == 403)
                .map(request -> "  " + request.problem().orElse("forbidden")
                        + UsedRight.of(request).stream()
                                .map(right -> "\n    add to the role: " + right.rule())
                                .collect(Collectors.joining()))
                .distinct()
                .toList();
        if (!forbidden.isEmpty()) {
            throw new AssertionError("the operator has used rights that its role does not have:\n"
                    + String.join("\n", forbidden) + "\n" + recording.story());
        }
    }

    void explain(Throwable failure) {
        if (!String.valueOf(failure.getMessage()).contains("What has happened:")) {
            failure.addSuppressed(new OperatorStory(recording.story()));
        }
    }
}
