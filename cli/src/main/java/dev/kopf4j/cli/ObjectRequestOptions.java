package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.ObjectPlaceOptions.ObjectPlace;
import dev.kopf4j.cli.operation.ObjectRequests;
import dev.kopf4j.cli.operation.ObjectRequests.AddressedRequest;
import dev.kopf4j.cli.operation.ObjectRequests.Answer;
import dev.kopf4j.cli.operation.ObjectRequests.Asked;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.text.TerminalText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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

    /** True if objects are chosen by labels. */
    boolean areSelected() {
        return selector != null;
    }

    /** True if the operator's answer is waited for. */
    boolean waits() {
        return waits;
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
    int ask(CommandSpec spec, ObjectPlace place, String done, Question question) throws InterruptedException {
        if (objects.isEmpty()) {
            throw CommandException.usage("Name objects, as in kopfexamples/my-object.");
        }
        if (place.everywhere() && place.namespace() != null) {
            throw CommandException.usage("Either --namespace or --all-namespaces can be used, not both.");
        }
        if (place.everywhere() && selector == null) {
            throw CommandException.usage(
                    "--all-namespaces goes with --selector: an object that is named is in one namespace.");
        }
        OperatorBuilder builder = Operator.builder().clusterwide();
        if (place.kubeconfig() != null) {
            CommandException.requireReadable("kubeconfig", place.kubeconfig());
            builder.kubeconfig(place.kubeconfig());
        }
        SystemPlatform platform = new SystemPlatform();
        return ClusterSurvey.connect(OperatorPlan.of(builder), platform, api -> {
            ObjectRequests requests = new ObjectRequests(platform, api);
            ObjectRequests.Request request = question.in(new Interventions(true, true, prefix));
            return ask(
                    requests,
                    requests.find(objects, place.namespace(), selector, place.everywhere(), request),
                    done,
                    spec.commandLine());
        });
    }

    private int ask(ObjectRequests requests, List<AddressedRequest> named, String done, CommandLine command)
            throws InterruptedException {
        PrintWriter out = command.getOut();
        List<Asked> all = requests.ask(named, (object, refusal) -> {
            if (refusal == null) {
                out.println(done + ": " + object);
            } else {
                String line = "kopf4j: Not asked: " + object + ": " + refusal.getMessage();
                command.getErr().println(TerminalText.line(line));
            }
        });
        command.getErr().flush();
        if (named.isEmpty()) {
            out.println("No object has these labels.");
        }
        boolean fine = !named.isEmpty() && all.size() == named.size();
        out.flush();
        List<Answer> answers =
                requests.await(waits ? all : List.of(), Duration.ofSeconds(timeout), (object, answer) -> {
                    out.println(words(answer) + ": " + object);
                    out.flush();
                });
        fine &= answers.stream().allMatch(each -> each == Answer.ACKNOWLEDGED || each == Answer.NEEDS_NONE);
        return fine ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static String words(Answer answer) {
        return switch (answer) {
            case ACKNOWLEDGED -> "Acknowledged";
            case NEEDS_NONE -> "Nothing to wait for (no operator had acknowledged a pause)";
            case DELETING -> "Not acknowledged (it is being deleted, and its deletion goes on: --deletion holds that)";
            case PAUSED -> "Paused, the retry follows after `kopf4j resume`";
            case OVERTAKEN -> "Not acknowledged (somebody has asked for something else meanwhile)";
            case GONE -> "Not acknowledged (it is gone)";
            case LATE -> "Not acknowledged in time (does the operator run?)";
        };
    }
}
