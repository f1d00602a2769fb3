package dev.kopf4j.engine.call;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where there can be no sub-handlers: in filters and in handlers of raw events. */
public enum NoSubHandlers implements SubHandlers {
    /** The only one. */
    INSTANCE;

    @Override
    public void add(String id, Consumer<? super Options> options, Handler handler) {
        throw misplaced();
    }

    @Override
    public void addMethod(String method, @Nullable String id, @Nullable Object param) {
        throw misplaced();
    }

    @Override
    public void execute() {
        throw misplaced();
    }

    @Override
    public void execute(HandlerLifecycle lifecycle) {
        throw misplaced();
    }

    private static IllegalStateException misplaced() {
        return new IllegalStateException(
                "sub-handlers are possible in handlers of changes only (creation, update, deletion,"
                        + " resuming, field), as nothing else remembers progress");
    }
}
