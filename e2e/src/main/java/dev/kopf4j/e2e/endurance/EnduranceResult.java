package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.judgement.HandlerCount;
import dev.kopf4j.e2e.endurance.judgement.Judgement;
import dev.kopf4j.e2e.endurance.process.PatchCount;
import java.util.List;
import java.util.Map;

/**
 * What came out.
 *
 * @param judgement of the calls
 * @param disturbances how often each thing was done
 * @param objects how many objects there have been
 * @param unsettled of which objects something was left to be done at the end
 * @param stuck how many objects waited for their deletion at the end
 * @param patches what the operators' PATCHes have done
 * @param processes how the operators' processes went
 */
record EnduranceResult(
        Judgement judgement,
        Map<Disturbance, Integer> disturbances,
        int objects,
        List<String> unsettled,
        long stuck,
        PatchCount patches,
        Processes processes) {
    /**
     * How the operators' processes went.
     *
     * @param pluginRuns how often the plugin for credentials was run
     * @param dead how often the liveness of the first operator said that a restart would help
     * @param starts how many processes the operators took
     * @param ended how often they ended by themselves
     * @param graceful whether the operators stopped in order at the end
     */
    record Processes(long pluginRuns, int dead, int starts, int ended, boolean graceful) {}

    /** Makes the collections unmodifiable. */
    EnduranceResult {
        disturbances = Map.copyOf(disturbances);
        unsettled = List.copyOf(unsettled);
    }

    /** Whether there was something to be done, and all promises were kept. */
    boolean isGood() {
        return judgement.counts().stream().anyMatch(count -> count.expected() > 0)
                && unsettled.isEmpty()
                && processes.graceful()
                && processes.dead() == 0
                && judgement.counts().stream().noneMatch(HandlerCount::isBroken);
    }

    /** A table of the counts, and what else was seen. */
    String table() {
        return new EnduranceReport(this).table();
    }
}
