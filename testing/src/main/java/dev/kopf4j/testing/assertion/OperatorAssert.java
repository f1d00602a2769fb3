package dev.kopf4j.testing.assertion;

import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.LogLine;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.RecordedRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions about what an operator has done so far. Confined to the test's thread. */
public final class OperatorAssert extends AbstractAssert<OperatorAssert, TestedOperator> {
    OperatorAssert(TestedOperator operator) {
        super(operator, OperatorAssert.class);
    }

    /** The handler was called at least once; goes on with its calls. */
    public CallsAssert hasCalled(String handler) {
        List<RecordedCall> calls = actual.calls(handler);
        if (calls.isEmpty()) {
            throw failure("expected the handler '%s' to have been called, but only these were:%s", handler, called());
        }
        return new CallsAssert(handler, calls);
    }

    /**
     * The handler was never called.
     *
     * @throws IllegalArgumentException if the operator has no such handler
     */
    public OperatorAssert hasNeverCalled(String handler) {
        List<RecordedCall> calls = actual.calls(handler);
        if (!calls.isEmpty()) {
            throw failure("expected the handler '%s' never to have been called, but it was:%s", handler, lines(calls));
        }
        return this;
    }

    private String called() {
        return lines(
                actual.calls().stream().map(RecordedCall::handler).distinct().toList());
    }

    /** A line of the log has this text in it. */
    public OperatorAssert hasLogged(String part) {
        if (actual.logs().stream().noneMatch(line -> line.message().contains(part))) {
            throw failure(
                    "expected a line of the log with '%s', but the lines from INFO on were:%s", part, lines(notable()));
        }
        return this;
    }

    private List<LogLine> notable() {
        return actual.logs().stream()
                .filter(line -> !line.level().equals("DEBUG"))
                .toList();
    }

    /** A Kubernetes event with this reason was posted. */
    public OperatorAssert hasPosted(String reason) {
        List<String> reasons = actual.events().stream()
                .map(event -> event.getReason() + ": " + event.getMessage())
                .toList();
        if (reasons.stream().noneMatch(each -> each.startsWith(reason + ":"))) {
            throw failure(
                    "expected a Kubernetes event with the reason '%s', but there were:%s", reason, lines(reasons));
        }
        return this;
    }

    /** The operator has changed nothing since the beginning. */
    public OperatorAssert hasWrittenNothing() {
        List<RecordedRequest> writes = actual.requests().stream()
                .filter(request -> request.byOperator() && request.isWrite())
                .toList();
        if (!writes.isEmpty()) {
            throw failure("expected no writes of the operator, but there were:%s", lines(writes));
        }
        return this;
    }

    /**
     * All requests of the operator and its handlers are allowed by the roles in a manifest, whoever they are bound to.
     *
     * @param roles YAML with {@code Role} and {@code ClusterRole} objects; others are ignored
     */
    public OperatorAssert hasUsedOnlyRightsOf(String roles) {
        RoleRules rules = RoleRules.parse(roles);
        List<String> missing = actual.requests().stream()
                .filter(RecordedRequest::byOperator)
                .flatMap(request -> UsedRight.of(request).stream())
                .filter(right -> !rules.allow(right))
                .map(UsedRight::toString)
                .distinct()
                .toList();
        if (!missing.isEmpty()) {
            throw failure(
                    "expected the operator to use only rights that its roles have, but these are missing:%s",
                    lines(missing));
        }
        return this;
    }

    private static String lines(List<?> found) {
        return found.isEmpty()
                ? " none"
                : found.stream().map(each -> "\n  " + each).collect(Collectors.joining());
    }
}
