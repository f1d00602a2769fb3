package dev.kopf4j.checklist.audit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notes which lines are executed, in the process of the tests. What {@link LineRecordingTransformer} puts into the code
 * calls it, so it does as little as possible: two threads that meet at a line may both note it. Thread-safe.
 */
public final class LineRecorder {
    private static final int LINES_MAX = 1 << 18;
    private static final boolean[] EXECUTED = new boolean[LINES_MAX];
    private static final Map<CodeLine, Integer> IDS = new ConcurrentHashMap<>();
    private static final List<CodeLine> LINES = new ArrayList<>();

    private LineRecorder() {}

    /** A line is executed. */
    public static void executed(int id) {
        EXECUTED[id] = true;
    }

    static int idOf(CodeLine line) {
        return IDS.computeIfAbsent(line, LineRecorder::add);
    }

    private static int add(CodeLine line) {
        synchronized (LINES) {
            if (LINES.size() == LINES_MAX) {
                throw new IllegalStateException("there are more than " + LINES_MAX + " lines of code");
            }
            LINES.add(line);
            return LINES.size() - 1;
        }
    }

    /** The lines that were executed since the last call. */
    static BitSet take() {
        BitSet taken = new BitSet();
        for (int id = 0; id < known(); id++) {
            if (EXECUTED[id]) {
                EXECUTED[id] = false;
                taken.set(id);
            }
        }
        return taken;
    }

    private static int known() {
        synchronized (LINES) {
            return LINES.size();
        }
    }

    /** All lines of the code that was loaded, by their ids. */
    static List<CodeLine> lines() {
        synchronized (LINES) {
            return List.copyOf(LINES);
        }
    }
}
