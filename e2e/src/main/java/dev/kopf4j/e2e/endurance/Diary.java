package dev.kopf4j.e2e.endurance;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what is being done, with the time since the start. Thread-safe. */
final class Diary {
    private final PrintStream out;
    private final long start = System.nanoTime();

    Diary(PrintStream out) {
        this.out = out;
    }

    void tell(String what) {
        out.println(String.format(Locale.ROOT, "%7.1f s  %s", (System.nanoTime() - start) / 1e9, what));
    }
}
