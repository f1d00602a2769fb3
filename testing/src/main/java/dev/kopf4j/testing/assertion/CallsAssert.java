package dev.kopf4j.testing.assertion;

import dev.kopf4j.testing.recording.RecordedCall;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions about the calls of one handler. Confined to the test's thread. */
public final class CallsAssert extends AbstractAssert<CallsAssert, List<RecordedCall>> {
    private final String handler;

    CallsAssert(String handler, List<RecordedCall> calls) {
        super(calls, CallsAssert.class);
        this.handler = handler;
    }

    /** Of these calls, those for an object: its name, or {@code namespace/name}. */
    public CallsAssert on(String object) {
        List<RecordedCall> found = actual.stream()
                .filter(call -> call.object().equals(object) || call.object().endsWith("/" + object))
                .toList();
        if (found.isEmpty()) {
            throw failure(
                    "expected the handler '%s' to have been called for %s, but it was for:%s",
                    handler, object, lines());
        }
        return new CallsAssert(handler, found);
    }

    /** There is one such call. */
    public CallsAssert once() {
        return times(1);
    }

    /** There are so many such calls. */
    public CallsAssert times(int count) {
        if (actual.size() != count) {
            throw failure(
                    "expected %s calls of the handler '%s', but there were %s:%s",
                    count, handler, actual.size(), lines());
        }
        return this;
    }

    /** The last such call has succeeded. */
    public CallsAssert succeeded() {
        if (!actual.getLast().succeeded()) {
            throw failure("expected the last call of the handler '%s' to have succeeded:%s", handler, lines());
        }
        return this;
    }

    /** The last such call has thrown an exception of this type. */
    public CallsAssert failedWith(Class<? extends Throwable> type) {
        boolean thrown = actual.getLast()
                .end()
                .flatMap(RecordedCall.End::failure)
                .filter(type::isInstance)
                .isPresent();
        if (!thrown) {
            throw failure(
                    "expected the last call of the handler '%s' to have thrown %s:%s",
                    handler, type.getName(), lines());
        }
        return this;
    }

    /** The last such call has returned this, as JSON. */
    public CallsAssert returned(String json) {
        if (!actual.getLast()
                .end()
                .flatMap(RecordedCall.End::result)
                .filter(json::equals)
                .isPresent()) {
            throw failure("expected the last call of the handler '%s' to have returned %s:%s", handler, json, lines());
        }
        return this;
    }

    /** The arguments of the last such call fit. */
    public CallsAssert matching(String description, Predicate<RecordedCall> fits) {
        if (!fits.test(actual.getLast())) {
            throw failure(
                    "expected the last call of the handler '%s' to be %s, but the object was %s",
                    handler, description, actual.getLast().body().toMap());
        }
        return this;
    }

    private String lines() {
        return actual.stream().map(call -> "\n  " + call).collect(Collectors.joining());
    }
}
