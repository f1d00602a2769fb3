package dev.kopf4j.engine.cycle;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cycle.HandlerOutlook.Occasion;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says in words what an operator would do for an object. Pure. */
public final class OutlookWords {
    private static final int FIELDS_MAX = 5;

    private OutlookWords() {}

    /** What has happened to the object. */
    private enum State {
        NOT_WATCHED,
        PAUSED,
        PAUSED_WHOLLY,
        NOT_HANDLED,
        FOLLOWED,
        CREATED,
        CHANGED,
        DELETING,
        RELEASED,
        HANDLED;

        static State of(ObjectOutlook outlook) {
            if (isUnwatched(outlook)) {
                return NOT_WATCHED;
            }
            if (outlook.pause() != Pause.NONE) {
                return outlook.pause() == Pause.ALL ? PAUSED_WHOLLY : PAUSED;
            }
            if (!outlook.handlesStates() && !isDeletion(outlook.reason())) {
                return NOT_HANDLED;
            }
            if (outlook.reason() == Reason.CREATE
                    && outlook.handlers().stream().noneMatch(each -> each.kind().isOfChange())) {
                return FOLLOWED;
            }
            return switch (outlook.reason()) {
                case CREATE -> CREATED;
                case UPDATE -> CHANGED;
                case DELETE -> DELETING;
                case FREE -> RELEASED;
                case RESUME, NOOP, GONE -> HANDLED;
            };
        }
    }

    /** What has happened to the object, as a word for programs. */
    public static String stateWord(ObjectOutlook outlook) {
        return State.of(outlook).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * What has happened to the object, in a sentence.
     *
     * @param shows true to show values
     */
    public static String state(ObjectOutlook outlook, boolean shows) {
        return switch (State.of(outlook)) {
            case NOT_WATCHED -> "this operator does not watch it.";
            case PAUSED_WHOLLY -> "it is paused, its deletion, too.";
            case PAUSED -> "it is paused" + (isDeletion(outlook.reason()) ? ", but its deletion goes on." : ".");
            case NOT_HANDLED -> "no handler of this operator is for changes of it.";
            case FOLLOWED ->
                "no handler of this operator is for changes of it; timers, daemons and children follow it as it is.";
            case CREATED -> "it was not handled before: its creation is to be handled.";
            case CHANGED ->
                "it has changed since it was handled: "
                        + changes(outlook.change().diff(), shows) + ".";
            case DELETING -> "it is being deleted, and held by this operator's finalizer.";
            case RELEASED -> "it is being deleted, and this operator has nothing to do with that any more.";
            case HANDLED -> "it was handled as it is: nothing that matters has changed since.";
        };
    }

    private static boolean isUnwatched(ObjectOutlook outlook) {
        return outlook.handlers().stream().anyMatch(each -> each.verdict() instanceof HandlerOutlook.NotWatched);
    }

    private static boolean isDeletion(Reason reason) {
        return reason == Reason.DELETE || reason == Reason.FREE;
    }

    private static String changes(JsonDiff diff, boolean shows) {
        List<String> items = diff.items().stream()
                .limit(FIELDS_MAX)
                .map(item ->
                        item.field() + (shows ? " from " + text(item.oldValue()) + " to " + text(item.newValue()) : ""))
                .toList();
        int more = diff.items().size() - items.size();
        return String.join(", ", items) + (more > 0 ? ", and " + more + " more" : "");
    }

    private static String text(@Nullable JsonNode value) {
        return value == null ? "nothing" : TextShortener.middle(Json.text(value), 80);
    }

    /** What would be done about the finalizer first; empty for nothing. */
    public static Optional<String> finalizer(ObjectOutlook outlook) {
        return switch (outlook.finalizer()) {
            case NONE, DEPENDS -> Optional.empty();
            case ADD -> Optional.of("the operator's finalizer is missing, and is added first");
            case REMOVE ->
                Optional.of("the operator's finalizer is not needed, and is removed first"
                        + (outlook.undoables().isEmpty()
                                ? ""
                                : ", though nobody has taken back what these steps have made: "
                                        + String.join(", ", outlook.undoables())));
            case STAYS ->
                Optional.of(
                        "the operator's finalizer stays, as this operator handles no changes of such objects: unless"
                                + " another one takes it off, the object cannot be deleted (`kopf4j uninstall --orphan` does)");
        };
    }

    /** A word for programs. */
    public static String word(Verdict verdict) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun _ -> "would-run";
            case HandlerOutlook.Done _ -> "done";
            case HandlerOutlook.Waits _ -> "waits";
            case HandlerOutlook.Failed _, HandlerOutlook.GivenUp _ -> "failed";
            case HandlerOutlook.WrongCause _ -> "wrong-cause";
            case HandlerOutlook.Mismatch _ -> "filter-mismatch";
            case HandlerOutlook.Paused _ -> "paused";
            case HandlerOutlook.NotWatched _ -> "not-watched";
            case HandlerOutlook.RightMissing _ -> "right-missing";
            case HandlerOutlook.DeletionHeld _ -> "deletion-held";
            case HandlerOutlook.Refused _ -> "refused";
            case HandlerOutlook.Depends _ -> "may-run";
        };
    }

    /**
     * What a handler would do.
     *
     * @param shows true to show values
     */
    public static String words(Verdict verdict, boolean shows, Instant now) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun run ->
                "would run now ("
                        + (run.occasion() == Occasion.RETRY
                                ? "a retry was asked for"
                                : run.reason().word())
                        + ")" + (run.attempt() > 1 ? ", " + attempt(run.attempt(), run.attemptsMax()) : "");
            case HandlerOutlook.Done(var at) -> "done" + (at == null ? "" : " at " + time(at));
            case HandlerOutlook.Waits waits ->
                (waits.endsWhenAsked(now)
                                ? "has stopped until somebody asks (`kopf4j retry`), "
                                : "waits until " + time(waits.until(), now) + ", ")
                        + attempt(waits.attempt(), waits.attemptsMax())
                        + (waits.message() == null || waits.message().isEmpty() ? "" : ": " + waits.message());
            case HandlerOutlook.Failed(var at, var message) ->
                "failed for good" + (at.isEmpty() ? "" : " at " + at) + (message.isEmpty() ? "" : ": " + message);
            case HandlerOutlook.GivenUp(var due, var why) ->
                "would fail for good " + (due.isAfter(now) ? "at " + time(due, now) : "now") + ", without a call: "
                        + why;
            case HandlerOutlook.WrongCause(var _, var why) -> "wrong cause: " + why;
            case HandlerOutlook.Mismatch(var mismatch) -> mismatch.describe(shows);
            case HandlerOutlook.Paused(var pause) ->
                "paused by an annotation" + (pause == Pause.ALL ? ", as is the deletion" : "");
            case HandlerOutlook.NotWatched(var scope) -> "not watched: " + scope;
            case HandlerOutlook.RightMissing(var right) -> "the account in use has no right to " + right;
            case HandlerOutlook.DeletionHeld(var others) ->
                others.isEmpty()
                        ? "the deletion is done; the server removes the object"
                        : "finalizers of others hold the deletion: " + String.join(", ", others);
            case HandlerOutlook.Refused(var why) -> "the object is not handled: " + why;
            case HandlerOutlook.Depends(var on) -> "may run, depending on " + on;
        };
    }

    private static String attempt(int attempt, @Nullable Integer max) {
        return "attempt " + attempt + (max == null ? "" : " of " + max);
    }

    private static String time(Instant at, Instant now) {
        return time(at) + " (" + ChronoUnit.SECONDS.between(now, at) + " seconds from now)";
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
