package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.process.ChildProcess;
import java.util.List;

/**
 * The server of a trial.
 *
 * @param process where it runs
 * @param url without a slash at the end
 * @param token the administrator's
 * @param kubeconfig a file with the same
 */
record LargeServer(ChildProcess process, String url, String token, String kubeconfig) implements AutoCloseable {
    /** Objects that are created until an answer comes: it has to come within a minute. */
    private static final int AT_ONCE = 5000;

    static LargeServer start() {
        ChildProcess process = ChildProcess.start(LargeClusterProcess.class, List.of("-Xmx2g", "-XX:+UseSerialGC"));
        List<String> words = List.of(process.line().split(" ", -1));
        return new LargeServer(process, words.get(0), words.get(1), words.get(2));
    }

    /** Adds what is missing. */
    void fill(int objects) {
        for (int until = AT_ONCE; until < objects; until += AT_ONCE) {
            process.ask("objects " + until);
        }
        process.ask("objects " + objects);
    }

    void define(int definitions) {
        process.ask("definitions " + definitions);
    }

    /** Requests over sockets that were no reading. */
    int writes() {
        return Integer.parseInt(process.ask("writes"));
    }

    /** Changes objects at this pace, and returns the pace that was reached. */
    double change(int changes, int perSecond) {
        return Double.parseDouble(process.ask("change " + changes + " " + perSecond));
    }

    @Override
    public void close() {
        process.close();
    }
}
