package dev.kopf4j.cli;

import dev.kopf4j.cli.ObjectPlaceOptions.ObjectPlace;
import dev.kopf4j.cli.PeeringOptions.Peering;
import dev.kopf4j.cli.cluster.ShellWord;
import dev.kopf4j.cli.operation.ObjectRequests.PauseRequest;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.peering.PeeringRecordsByHand.Living;
import dev.kopf4j.engine.peering.PeeringRecordsByHand.Removal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j resume}: ends {@code kopf4j pause} of objects, or {@code kopf4j freeze} of a peering. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Lets an operator go on with objects that were paused by `kopf4j pause`; -n and, with --selector, -A say where they are.",
            "Without objects: lets the operators of a peering go on that were paused by `kopf4j freeze`."
        },
        footer = {
            "",
            "Exit codes: 0 it is done (with --wait: acknowledged), 1 it is not, there is no such record, or the cluster cannot",
            "be asked, 2 wrong usage."
        })
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    private ObjectRequestOptions objects = new ObjectRequestOptions();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            split = "\\s+",
            hideParamSyntax = true,
            description =
                    "The namespace of the objects (default: that of the credentials). Without objects: the peering of"
                            + " operators of this namespace, or of those that match a pattern, such as `team-*`; repeatable.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-A", "--all-namespaces"},
            description =
                    "With --selector: objects of all namespaces. Without objects: the peering of operators of the whole"
                            + " cluster.")
    private boolean allNamespaces;

    @Option(
            names = {"-P", "--peering"},
            paramLabel = "NAME",
            description = "Without objects, and required then: the name of the peering.")
    private String peering = "";

    @Mixin
    private PeeringOptions options = new PeeringOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (objects.areGiven()) {
            logging.applyQuietly(); // nobody needs to read that a cluster is asked
            return objects.ask(spec, placeOfObjects(), "Resumed", its -> new PauseRequest(its, Pause.NONE));
        }
        if (objects.areSelected()) {
            throw CommandException.usage("--selector chooses among objects of a kind: name it, as in"
                    + " `kopf4j resume kopfexamples -l app=a`, or leave --selector out.");
        }
        if (objects.waits()) {
            throw CommandException.usage("--wait is about objects: operators that were frozen acknowledge nothing.");
        }
        logging.apply();
        List<Removal> removals = options.remove(Peering.of(peering, namespaces, allNamespaces));
        removals.forEach(this::tell);
        return removals.stream().allMatch(Removal::found) ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Where objects are, if some are named instead of a peering. */
    private ObjectPlace placeOfObjects() {
        if (options.hasIdentity() || !peering.isEmpty()) {
            throw CommandException.usage("--id and --peering are about a peering: leave them out, or the objects.");
        }
        if (namespaces.size() > 1) {
            throw CommandException.usage("Objects are in one namespace: " + namespaces);
        }
        return new ObjectPlace(
                namespaces.isEmpty() ? null : namespaces.getFirst(), allNamespaces, options.kubeconfig());
    }

    private void tell(Removal removal) {
        PrintWriter out = spec.commandLine().getOut();
        if (removal.found()) {
            out.println("Resumed: " + removal.place());
        } else {
            PrintWriter err = spec.commandLine().getErr();
            err.println("kopf4j: There is no record of '" + options.identity() + "' in " + removal.place()
                    + ": nothing was changed. Whoever has written one under another name, names it by --id.");
            err.flush();
        }
        for (Living each : removal.others()) {
            out.println("Still there in " + removal.place() + ": priority " + each.priority() + ", for another "
                    + Math.max(1, each.left().toSeconds()) + " s: --id " + ShellWord.quote(each.identity())
                    + " removes it, unless an operator lives that writes it again");
        }
        out.flush();
    }
}
