package dev.kopf4j.benchmarks.memory;

/** The heap of this process. */
public final class HeapSize {
    private static final int COLLECTIONS = 5;

    private HeapSize() {}

    /** The reachable memory in bytes: the minimum after several collections. */
    public static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(50);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
