package dev.kopf4j.engine.admission;

import dev.kopf4j.engine.handling.context.OperatorMemos;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The memo of an object that the operator does not know: all handlers of one request share it. Thread-safe. */
final class PassingMemo implements Supplier<Object> {
    private final OperatorMemos operatorMemos;
    private @Nullable Object memo;

    PassingMemo(OperatorMemos operatorMemos) {
        this.operatorMemos = operatorMemos;
    }

    @Override
    public synchronized Object get() {
        if (memo == null) {
            memo = operatorMemos.forObject();
        }
        return memo;
    }
}
