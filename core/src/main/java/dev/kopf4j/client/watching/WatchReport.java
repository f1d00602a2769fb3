package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.FailureSums;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a loop tells of its stream. The listener hears all of it, the objects one by one, so that the stream outlives
 * each of them: one that cannot be read, or that is nested more deeply than the thread's stack allows, is told as
 * unreadable.
 *
 * <p>What goes wrong is told to the listener each time, to the log once. If it goes wrong again and again, as behind a
 * proxy that cuts connections, the log gets a sum at growing intervals instead of a line each time, and a last line
 * when the stream has been quiet for a minute. Thread-safe.
 */
final class WatchReport {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final WatchedCollection collection;
    private final ListAndWatchListener listener;
    private final FailureSums failures;
    /** Errors that nobody has foreseen, apart from the other disturbances: none of these hides the first of them. */
    private final FailureSums defects;
    /** A list and an early watch tell of themselves at the same time. */
    private volatile boolean disturbed;

    WatchReport(Platform platform, WatchedCollection collection, ListAndWatchListener listener) {
        this.collection = collection;
        this.listener = listener;
        this.failures = new FailureSums(platform, 1);
        this.defects = new FailureSums(platform, 1);
    }

    /** See {@link ListAndWatchListener#listStarted}. */
    void listStarted() throws InterruptedException {
        listener.listStarted();
    }

    /** See {@link ListAndWatchListener#watchesWhileListing}. */
    boolean watchesWhileListing(String resourceVersion) {
        return listener.watchesWhileListing(resourceVersion);
    }

    /** An object of a list. */
    void listed(ObjectNode object) throws InterruptedException {
        try {
            listener.listed(object);
        } catch (JsonConversionException | StackOverflowError e) {
            unreadable(UnreadableObject.of(object, e));
        }
    }

    /** An event that is a part of a list. */
    void listed(WatchEvent event) throws InterruptedException {
        UnreadableObject unreadable = event.unreadable();
        if (unreadable != null) {
            unreadable(unreadable);
            return;
        }
        ObjectNode object;
        try {
            object = event.object();
        } catch (JsonConversionException e) {
            unreadable(UnreadableObject.of(event, e));
            return;
        }
        listed(object);
    }

    /** See {@link ListAndWatchListener#listComplete}. */
    void listComplete(String resourceVersion) throws InterruptedException {
        listener.listComplete(resourceVersion);
    }

    /** An event of an object. */
    void event(WatchEvent event) throws InterruptedException {
        UnreadableObject unreadable = event.unreadable();
        if (unreadable != null) {
            unreadable(unreadable);
            return;
        }
        try {
            listener.event(event);
        } catch (JsonConversionException | StackOverflowError e) {
            unreadable(UnreadableObject.of(event, e));
        }
    }

    /** See {@link ListAndWatchListener#unreadable}. */
    void unreadable(UnreadableObject object) throws InterruptedException {
        listener.unreadable(object);
    }

    /**
     * Something has failed. An expired version is normal; a failed login and a missing permission are reported once for
     * all streams, by the vault and by the requests: these are logged as DEBUG. That a resource is not served is how
     * streams end whose definition is deleted: it is a warning only if the stream goes on.
     */
    void failed(String reason, ClientException failure) {
        boolean toldElsewhere = failure instanceof ForbiddenException
                || failure instanceof GoneException
                || failure instanceof NoCredentialsException;
        String text = reason + ": " + failure.getMessage() + wayOut(failure);
        if (toldElsewhere) {
            log.debug("The watch-stream for {} is disturbed, and will be restored: {}", collection, text);
        } else {
            log(text, failure);
        }
        disturbed(reason, failure);
    }

    /**
     * An error that nobody has foreseen, be it one of the listener, which hears of it, too. The log gets it in full
     * when it comes for the first time, and as often as it gets a sum.
     */
    void unexpected(Throwable failure) {
        String reason = "an unexpected error";
        Throwable told = Platform.tellable(failure);
        if (defects.failed() instanceof FailureSums.Telling.Later) {
            log.debug("An unexpected error in the watch-stream for {} again:", collection, told);
        } else {
            log.error(Platform.UNEXPECTED, "An unexpected error in the watch-stream for {}:", collection, told);
        }
        log(reason + ": " + told, null);
        try {
            disturbed(reason, told instanceof Exception exception ? exception : new ExecutionException(told));
        } catch (RuntimeException | Error e) {
            TaskEndError.letThrough(e);
            log.error(
                    Platform.UNEXPECTED,
                    "That the watch-stream for {} is disturbed could not be told:",
                    collection,
                    Platform.tellable(e));
        }
    }

    /** A request is repeated. */
    void retrying(ClientException failure) {
        failed("a request failed, and is repeated", failure);
    }

    void silent(String reason) {
        log.debug("Watch-stream for {} is inactive, reconnecting.", collection);
        disturbed(reason, null);
    }

    private void disturbed(String reason, @Nullable Exception failure) {
        disturbed = true;
        listener.disturbed(reason, failure);
    }

    /** True if something is wrong, as far as anybody was told. */
    boolean isDisturbed() {
        return disturbed;
    }

    private void log(String text, @Nullable ClientException failure) {
        switch (failures.failed()) {
            case FailureSums.Telling.ByItself() -> {
                if (failure instanceof NotFoundException) {
                    log.info(
                            "The resource of the watch-stream for {} is not served, which is looked up anew: {}",
                            collection,
                            text);
                } else if (isOfChangedDefinition(failure)) {
                    log.info(
                            "The API server reads the objects of the watch-stream for {} anew, as after each change of their"
                                    + " definition: {}",
                            collection,
                            text);
                } else {
                    log.warn(
                            "K4-011: The watch-stream for {} is disturbed, and will be restored: {}", collection, text);
                }
            }
            case FailureSums.Telling.InSum(int times, Duration within) ->
                log.warn(
                        "K4-011: The watch-stream for {} was disturbed {} more times within {}, now: {}",
                        collection,
                        times,
                        DurationText.format(within),
                        isOfChangedDefinition(failure) ? text + unconverted() : text);
            case FailureSums.Telling.Later() ->
                log.debug("The watch-stream for {} is disturbed again: {}", collection, text);
        }
    }

    /**
     * True if the server has no cache of the objects yet, which takes it a second after each change of the definition;
     * or as long as nobody converts them.
     */
    private static boolean isOfChangedDefinition(@Nullable ClientException failure) {
        return failure instanceof TooManyRequestsException
                && String.valueOf(failure.getMessage()).contains("storage is (re)initializing");
    }

    /** What somebody has to do if the server does not get to its cache. */
    private String unconverted() {
        String definition =
                collection.resource().plural() + "." + collection.resource().group();
        return " (If nobody has changed the definition again and again, the API server cannot convert the objects that it"
                + " has stored, and no object of the kind can be listed or watched: see where spec.conversion leads in"
                + " 'kubectl get crd " + definition
                + " -o yaml', and run the version of the operator there that converts"
                + " them. One without conversions does not, as after a rollback.)";
    }

    /** The server was heard. */
    void alive() {
        disturbed = false;
        var _ = defects.succeeded();
        int over = failures.succeeded();
        if (over == 1) {
            log.info("The watch-stream for {} is restored.", collection);
        } else if (over > 1) {
            log.info("The watch-stream for {} is restored, after {} disturbances.", collection, over);
        }
        listener.alive();
    }

    /** What somebody has to do before the stream can be restored; empty if it restores itself. */
    private static String wayOut(ClientException failure) {
        boolean isConversion = failure instanceof ApiException
                && String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("conversion webhook");
        return isConversion
                ? " (An API server reads all objects of a kind before it gives any of them, so as long as one cannot be"
                        + " converted, no object of the kind can be listed or watched in this version. Mend the"
                        + " conversion webhook, or the object, which the webhook's own log may name. If nothing answers"
                        + " there, see whether its Service has a pod that is ready.)"
                : "";
    }
}
