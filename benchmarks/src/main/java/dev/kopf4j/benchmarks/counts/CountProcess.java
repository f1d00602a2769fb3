package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.benchmarks.process.ChildMain;
import java.io.IOException;

/** Counts in a process of its own, with options of the JVM that make the counts comparable. */
public final class CountProcess {
    static final String HANDLING = "handling";
    static final String REST = "rest";
    static final String PARENTS = "parents";

    private CountProcess() {}

    /** No arguments. Answers the name of a part with its counts. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildMain.serve("ready", part -> count(part).toLine());
    }

    private static Counts count(String part) throws InterruptedException {
        return switch (part) {
            case HANDLING -> HandlingCount.count();
            case REST -> new RestCount().count();
            case PARENTS -> ParentCount.count();
            default -> throw new IllegalArgumentException("unknown: " + part);
        };
    }
}
