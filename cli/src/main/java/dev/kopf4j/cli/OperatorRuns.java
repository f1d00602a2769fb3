package dev.kopf4j.cli;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.LoginException;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ForcedExit;
import dev.kopf4j.cli.process.StopRequest;
import dev.kopf4j.cli.source.FileChanges;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.SuccessiveMemos;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an operator until a signal stops it; if wanted, a new one takes its place whenever its files change. Confined to
 * one thread.
 */
final class OperatorRuns {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.cli");

    private final Assembly assembly;
    private final SuccessiveMemos memos;
    private final Consumer<OperatorHandle> started;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<@Nullable OperatorHandle> current = new AtomicReference<>();

    /** Makes an operator of classes. */
    interface Assembly {
        Operator operator(LoadedClasses loaded) throws InterruptedException;
    }

    /**
     * The memos are those of the assembled operators.
     *
     * @param started hears of each operator that was started
     */
    OperatorRuns(Assembly assembly, SuccessiveMemos memos, StopRequest stopRequest, Consumer<OperatorHandle> started) {
        this.memos = memos;
        this.started = started;
        this.assembly = assembly;
        stopRequest.onStop(this::stop);
    }

    private void stop() {
        stopped.countDown();
        OperatorHandle handle = current.get();
        if (handle != null) {
            stop(handle);
        }
    }

    private static void stop(OperatorHandle handle) {
        Duration timeout = handle.settings().process().ultimateExitingTimeout();
        if (timeout != null) {
            ForcedExit.after(timeout); // first: the operator's own times must not end before it
        }
        handle.stop();
    }

    /** Runs one. */
    void once(LoadedClasses loaded) throws InterruptedException {
        try (OperatorHandle handle = start(loaded)) {
            handle.join();
        }
    }

    /**
     * Runs one after the other. A new one is made before the old one ends, which goes on if that fails.
     *
     * @throws OperatorException if the last one has failed, as {@link #once} does
     */
    void reloading(LoadedClasses first, FileChanges changes, Supplier<LoadedClasses> load) throws InterruptedException {
        OperatorHandle handle = start(first);
        try {
            while (changes.await(stopped, this::tellFailure)) {
                handle = replaced(handle, load);
            }
            if (current.get() != null) {
                handle.join(); // whatever has failed was not told yet
            }
        } finally {
            handle.close();
        }
    }

    private OperatorHandle replaced(OperatorHandle before, Supplier<LoadedClasses> load) throws InterruptedException {
        LoadedClasses loaded;
        Operator operator;
        try {
            loaded = load.get();
            operator = assembly.operator(loaded);
        } catch (CommandException | HandlerDeclarationException | OperatorException e) {
            log.error("The handlers before go on: {}", e.getMessage());
            return before;
        } catch (LinkageError e) {
            log.error("The handlers before go on: a class of the new ones cannot be used", e);
            return before;
        }
        if (stopped.getCount() == 0) {
            return before; // asked to stop while the new one was being made: it must not begin
        }
        before.close();
        if (stopped.getCount() == 0) {
            return before; // the same while it ended, which takes as long as its handlers do
        }
        log.info("The changed sources take over.");
        dropOutdatedMemos(loaded);
        return start(operator, loaded);
    }

    /** What is of a class that was compiled anew, nobody can use any more. */
    private void dropOutdatedMemos(LoadedClasses loaded) {
        Set<String> dropped = memos.drop(value -> !loaded.loading().has(value));
        if (!dropped.isEmpty()) {
            log.info(
                    "Memos begin without: {}. The values were of classes that were compiled anew, or could not be"
                            + " looked through.",
                    dropped);
        }
    }

    /** Tells once that the operator has failed: a change of its files is another try. */
    private void tellFailure() throws InterruptedException {
        OperatorHandle handle = current.get();
        if (handle != null && handle.hasEnded() && current.compareAndSet(handle, null)) {
            try {
                handle.join();
            } catch (OperatorException e) {
                if (isOfConnection(e)) {
                    memos.forgetContext(); // another one may be what helps
                }
                log.error("{}\nThe next change of the files starts it again.", e.getMessage());
            }
        }
    }

    private static boolean isOfConnection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LoginException || cause instanceof ClientException) {
                return true;
            }
        }
        return false;
    }

    private OperatorHandle start(LoadedClasses loaded) throws InterruptedException {
        return start(assembly.operator(loaded), loaded);
    }

    /** Libraries that look for implementations find those of the operator, not of this program. */
    private OperatorHandle start(Operator operator, LoadedClasses loaded) {
        Thread.currentThread().setContextClassLoader(loaded.loading().loader());
        OperatorHandle handle = operator.start();
        current.set(handle);
        started.accept(handle);
        if (stopped.getCount() == 0) {
            stop(handle);
        }
        return handle;
    }
}
