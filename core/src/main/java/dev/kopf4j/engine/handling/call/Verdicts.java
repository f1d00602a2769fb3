package dev.kopf4j.engine.handling.call;

import dev.kopf4j.engine.handling.progress.Judgement;
import dev.kopf4j.engine.handling.progress.Verdict;

/** Judges the ends of calls. Pure. */
public final class Verdicts {
    private Verdicts() {}

    /** What the end means. */
    public static Verdict of(HandlerRunner.End end, Judgement judgement) {
        return switch (end) {
            case HandlerRunner.End.Returned(var value) -> judgement.returned(value);
            case HandlerRunner.End.Threw(var exception) -> judgement.threw(exception);
            case HandlerRunner.End.TimedOut() -> judgement.timedOut();
            case HandlerRunner.End.LeftBehind(var task) -> judgement.timedOut();
        };
    }
}
