package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.operation.NamedObject;
import dev.kopf4j.cli.operation.ObjectRequests;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The objects about which a command asks something of their operator. */
final class ObjectRequestOptions {
    @Parameters(
            paramLabel = "OBJECT",
            arity = "0..*",
            description = "KIND/NAME, as kubectl names objects; with --selector a KIND.")
    private List<String> objects = new ArrayList<>();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "All objects of the kind with these labels.")
    private @Nullable String selector;

    @Option(names = "--wait", description = "Wait until the operator has acknowledged it on each object.")
    private boolean waits;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Wait so long at most (default: ${DEFAULT-VALUE}).",
            defaultValue = "60")
    private int timeout;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "The prefix of the operator's annotations (default: ${DEFAULT-VALUE}).",
            defaultValue = "kopf.zalando.org")
    private String prefix = "";

    /** True if objects are named. */
    boolean areGiven() {
        return !objects.isEmpty();
    }

    /** Something that is asked for, in the annotations of the operator. */
    @FunctionalInterface
    interface Question {
        ObjectRequests.Request in(Interventions interventions);
    }

    /**
     * Asks for it about each of the objects.
     *
     * @param done the word for it, as in {@code Paused}
     */
    int ask(CommandSpec spec, @Nullable String namespace, @Nullable Path kubeconfig, String done, Question question)
            throws InterruptedException {
        if (objects.isEmpty()) {
            throw CommandException.usage("Name objects, as in kopfexamples/my-object.");
        }
        OperatorBuilder builder = Operator.builder().clusterwide();
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        SystemPlatform platform = new SystemPlatform();
        return ClusterSurvey.connect(OperatorPlan.of(builder), platform, api -> {
            Interventions interventions = new Interventions(true, true, prefix);
            ObjectRequests requests = new ObjectRequests(platform, api, interventions);
            return ask(
                    requests,
                    requests.find(objects, namespace, selector),
                    question.in(interventions),
                    done,
                    spec.commandLine().getOut());
        });
    }

    private int ask(
            ObjectRequests requests,
            List<NamedObject> named,
            ObjectRequests.Request request,
            String done,
            PrintWriter out)
            throws InterruptedException {
        List<String> versions = new ArrayList<>();
        for (NamedObject each : named) {
            versions.add(requests.ask(each, request));
            out.println(done + ": " + each);
        }
        if (named.isEmpty()) {
            out.println("No object has these labels.");
        }
        boolean all = true;
        for (int i = 0; waits && i < named.size(); i++) {
            boolean acknowledged = requests.await(named.get(i), versions.get(i), Duration.ofSeconds(timeout));
            out.println((acknowledged ? "Acknowledged: " : "Not acknowledged in time (does the operator run?): ")
                    + named.get(i));
            all = all && acknowledged;
        }
        out.flush();
        return all ? ExitCode.OK : ExitCode.FAILURE;
    }
}
