package dev.kopf4j.benchmarks;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.BareLoopProcess;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.OperatorProcess;
import java.util.ArrayList;
import java.util.List;

/** The program that is measured. */
sealed interface Contender {
    /** The loop without any logic. */
    record BareLoop() implements Contender {}

    /**
     * The framework.
     *
     * @param handlers how many handlers of creations
     * @param lifecycle how they are called
     */
    record Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle) implements Contender {}

    /** The number of results on an object when all handlers have succeeded. */
    default int results() {
        return switch (this) {
            case BareLoop() -> 1;
            case Framework(int handlers, var _) -> handlers;
        };
    }

    /** The name in the report. */
    default String title() {
        return switch (this) {
            case BareLoop() -> "bare loop";
            case Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle) ->
                "operator, " + handlers + " x " + lifecycle;
        };
    }

    /** Starts the program; it is ready when this method returns. */
    default ChildProcess start(ServerAddress server, BenchmarkPlan benchmarkPlan) {
        List<String> options = new ArrayList<>(benchmarkPlan.jvmOptions());
        options.add("-Dkopf4j.benchmarks.log=" + benchmarkPlan.logLevel());
        ChildProcess process = switch (this) {
            case BareLoop() ->
                ChildProcess.start(
                        BareLoopProcess.class,
                        options,
                        server.url().toString(),
                        server.operatorToken(),
                        benchmarkPlan.statusSubresource() ? "/status" : "");
            case Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle) ->
                ChildProcess.start(
                        OperatorProcess.class,
                        options,
                        server.kubeconfig(),
                        Integer.toString(handlers),
                        lifecycle.name());
        };
        try {
            process.line();
            return process;
        } catch (IllegalStateException e) {
            process.close();
            throw e;
        }
    }
}
