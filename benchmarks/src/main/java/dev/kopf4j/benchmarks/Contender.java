package dev.kopf4j.benchmarks;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.BareLoopProcess;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.OperatorProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program that is measured. */
sealed interface Contender {
    /** Beside this program's jar; {@code benchmarks/run} builds it. */
    Path JOSDK_JAR = Path.of(System.getProperty("java.class.path"))
            .resolveSibling(Path.of("..", "josdk", "target", "josdk.jar"))
            .normalize();

    /**
     * The loop without any logic.
     *
     * @param jdk whether over the JDK's HTTP client instead of the operator's transport
     */
    record BareLoop(boolean jdk) implements Contender {}

    /** The same operator with the Java Operator SDK. */
    record JavaOperatorSdk() implements Contender {}

    /**
     * A program of somebody else, in any language: it finds the kubeconfig in {@code $KUBECONFIG}, prints a line that
     * begins with {@code > } when it watches, gives each object one result, and ends when its input does.
     *
     * @param name in the report
     * @param command how it is started, its words separated by spaces
     */
    record Program(String name, String command) implements Contender {}

    /**
     * The framework.
     *
     * @param handlers how many handlers of creations
     * @param lifecycle how they are called
     * @param recording whether the recorder is on, as it is by default
     */
    record Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle, boolean recording) implements Contender {
        /** As users have it. */
        Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle) {
            this(handlers, lifecycle, true);
        }
    }

    /** The number of results on an object when all handlers have succeeded. */
    default int results() {
        return switch (this) {
            case BareLoop(var _), JavaOperatorSdk(), Program(var _, var _) -> 1;
            case Framework(int handlers, var _, var _) -> handlers;
        };
    }

    /** The name in the report. */
    default String title() {
        return switch (this) {
            case BareLoop(boolean jdk) -> jdk ? "bare loop, JDK's client" : "bare loop";
            case JavaOperatorSdk() -> "Java Operator SDK";
            case Program(String name, var _) -> name;
            case Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle, boolean recording) ->
                "operator, " + handlers + " x " + lifecycle + (recording ? "" : ", without recorder");
        };
    }

    /** Starts the program; it is ready when this method returns. */
    default ChildProcess start(ServerAddress server, BenchmarkPlan benchmarkPlan) {
        List<String> options = new ArrayList<>(benchmarkPlan.process().jvmOptions());
        options.add("-Dkopf4j.benchmarks.log=" + benchmarkPlan.process().logLevel());
        String subresource = benchmarkPlan.statusSubresource() ? "/status" : "";
        ChildProcess process = switch (this) {
            case BareLoop(boolean jdk) ->
                ChildProcess.start(
                        BareLoopProcess.class,
                        options,
                        server.url().toString(),
                        server.operatorToken(),
                        subresource,
                        jdk ? "jdk" : "transport");
            case Program(String name, String command) ->
                ChildProcess.start(
                        name,
                        List.of(command.trim().split(" +", -1)),
                        Map.of("KUBECONFIG", server.kubeconfig(), "SUBRESOURCE", subresource));
            case JavaOperatorSdk() -> ChildProcess.start(JOSDK_JAR, options, server.kubeconfig(), subresource);
            case Framework(int handlers, HandlerLifecycle.BuiltIn lifecycle, boolean recording) ->
                ChildProcess.start(
                        OperatorProcess.class,
                        options,
                        server.kubeconfig(),
                        Integer.toString(handlers),
                        lifecycle.name(),
                        recording ? "recording" : "silent");
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
