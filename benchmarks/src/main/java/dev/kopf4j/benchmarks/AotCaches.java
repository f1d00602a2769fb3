package dev.kopf4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * AOT caches of the JVM from an earlier run of each program: the command line tool starts operators with such a cache,
 * too. Immutable; the files are deleted when this program ends.
 *
 * @param files a cache for each contender, by its title; empty to go without
 */
record AotCaches(Map<String, Path> files) {
    private static final int OBJECTS = 1000;

    /** Runs each program once. */
    static AotCaches make(BenchmarkPlan benchmarkPlan, List<Contender> contenders)
            throws IOException, InterruptedException {
        Map<String, Path> files = new HashMap<>();
        for (Contender contender : benchmarkPlan.process().cached() ? contenders : List.<Contender>of()) {
            if (contender instanceof Contender.Program) {
                continue; // no JVM of ours
            }
            Path file = Files.createTempFile("kopf4j-benchmark", ".aot");
            file.toFile().deleteOnExit();
            ContenderTrial.rehearse(benchmarkPlan.with("-XX:AOTCacheOutput=" + file), contender, OBJECTS);
            if (Files.size(file) == 0) {
                throw new IllegalStateException("the JVM has made no AOT cache; --cache off goes without");
            }
            files.put(contender.title(), file);
        }
        return new AotCaches(Map.copyOf(files));
    }

    /** The plan with the cache of a contender. */
    BenchmarkPlan applied(BenchmarkPlan benchmarkPlan, Contender contender) {
        Path file = files.get(contender.title());
        return file == null ? benchmarkPlan : benchmarkPlan.with("-XX:AOTCache=" + file);
    }
}
