package dev.kopf4j.engine.cycle;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerOptionsDrafts;
import dev.kopf4j.engine.handling.registry.HandlerDeclarationRules;
import dev.kopf4j.engine.handling.registry.HandlerIdRules;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.SubHandlerMethod;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sub-handlers that one call of a handler declares. The call's thread declares them and asks for their execution;
 * the object's worker, which waits for the call, executes them: progress stays confined to the worker. Thread-safe.
 */
final class DeclaredSubHandlers implements SubHandlers {
    private final RegisteredHandler parent;
    private final ProgressStorage storage;
    private final Monitor monitor;
    private final List<RegisteredHandler> declared = new ArrayList<>();
    private int executed;
    private boolean requested;
    private @Nullable HandlerLifecycle lifecycle;
    private @Nullable Duration unfinished;
    private @Nullable Throwable failure;

    /**
     * None.
     *
     * @param storage keeps their progress
     */
    DeclaredSubHandlers(RegisteredHandler parent, ProgressStorage storage, Monitor monitor) {
        this.parent = parent;
        this.storage = storage;
        this.monitor = monitor;
    }

    @Override
    public void add(String id, Consumer<? super Options> options, Handler handler) {
        HandlerOptionsDrafts.Child draft = new HandlerOptionsDrafts.Child();
        options.accept(draft);
        HandlerDeclaration declaration =
                draft.declare(parent.kind(), parent.declaration().selector(), id);
        add(new RegisteredHandler(
                declaration, parent.id() + "/" + id, handler, handler::handle, parent.subHandlerMethods()));
    }

    @Override
    public void addMethod(String method, @Nullable String id, @Nullable Object param) {
        SubHandlerMethod found = parent.subHandlerMethods().get(method);
        if (found == null) {
            throw new HandlerDeclarationException("there is no method '" + method
                    + "' with @SubHandler in the class of "
                    + parent + "; there are "
                    + parent.subHandlerMethods().keySet().stream().sorted().toList());
        }
        String own = id == null ? found.id() : id;
        HandlerDeclaration declaration =
                found.declare(parent.kind(), parent.declaration().selector(), own, param);
        add(new RegisteredHandler(
                declaration,
                parent.id() + "/" + own,
                found.function(),
                found.handlerInvoker(),
                parent.subHandlerMethods()));
    }

    private void add(RegisteredHandler child) {
        HandlerDeclarationRules.checkSubHandler(child);
        HandlerIdRules.check(child, storage);
        monitor.locked(() -> {
            if (declared.stream().anyMatch(other -> other.id().equals(child.id()))) {
                throw new HandlerDeclarationException(
                        "two sub-handlers have the id '" + child.id() + "'; give each an id of its own");
            }
            declared.add(child);
        });
    }

    @Override
    public void execute() throws InterruptedException {
        executeBy(null);
    }

    @Override
    public void execute(HandlerLifecycle wanted) throws InterruptedException {
        executeBy(wanted);
    }

    private void executeBy(@Nullable HandlerLifecycle wanted) throws InterruptedException {
        monitor.locked(() -> {
            lifecycle = wanted;
            requested = true;
        });
        monitor.awaitTrue(() -> !requested, Deadline.NEVER);
        throwFailure();
        if (unfinished().isPresent()) {
            throw new SubHandlersUnfinishedException(parent.toString());
        }
    }

    private void throwFailure() {
        switch (failure().orElse(null)) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case null, default -> {}
        }
    }

    /** Why the sub-handlers could not be executed, through a fault of the parent; empty if they could. */
    Optional<Throwable> failure() {
        return monitor.locked(() -> Optional.ofNullable(failure));
    }

    /** True if the call waits for its sub-handlers to be executed. */
    boolean isRequested() {
        return requested;
    }

    /** The lifecycle that was asked for with the execution; empty for that of the parent. */
    Optional<HandlerLifecycle> lifecycle() {
        return monitor.locked(() -> Optional.ofNullable(lifecycle));
    }

    /** All sub-handlers that were declared so far. */
    List<RegisteredHandler> take() {
        return monitor.locked(() -> {
            executed = declared.size();
            return List.copyOf(declared);
        });
    }

    /** True if some were declared after the last execution, or without any. */
    boolean hasUnexecuted() {
        return monitor.locked(() -> executed < declared.size());
    }

    /** The worker has executed what there was; the delay is null if all are finished. */
    void complete(@Nullable Duration delay) {
        monitor.locked(() -> {
            unfinished = delay;
            failure = null;
            lifecycle = null;
            requested = false;
        });
    }

    /** The worker cannot execute them, as their declarations fail. */
    void fail(Throwable cause) {
        monitor.locked(() -> {
            unfinished = null;
            failure = cause;
            lifecycle = null;
            requested = false;
        });
    }

    /** When to call the parent again; empty if all sub-handlers are finished, or there are none. */
    Optional<Duration> unfinished() {
        return monitor.locked(() -> Optional.ofNullable(unfinished));
    }
}
