package dev.kopf4j.cli;

import dev.kopf4j.cli.maintenance.Uninstaller;
import dev.kopf4j.cli.maintenance.Uninstaller.Drained;
import dev.kopf4j.cli.maintenance.Uninstaller.Orphaned;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.text.TerminalText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j uninstall}: takes an operator's finalizers and records off its objects. */
@Command(
        name = "uninstall",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Takes the finalizers and records of an operator off its objects, so that they can go without it.",
            "Deletes the webhook configurations that it writes (admission.managed), too.",
            "Give -n or -A: without them, nothing but a --dry-run is done.",
            "Settings that are changed by start-up handlers are not known here: give them with --set or --config."
        },
        footer = {
            "",
            "Exit codes: 0 done, 1 something is still held or the cluster cannot be asked, 2 wrong usage, 4 the sources do not",
            "compile."
        })
final class UninstallCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Way way;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "With --drain: how long to wait for the operator (default: ${DEFAULT-VALUE}).",
            defaultValue = "300")
    private int timeout;

    @Option(names = "--dry-run", description = "Tell what would be done, and change nothing.")
    private boolean rehearsal;

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Platform platform = new SystemPlatform();

    /** Waits by another platform from now on. */
    void platform(Platform value) {
        platform = value;
    }

    /** How the objects lose the operator. */
    private static final class Way {
        @Option(
                names = "--drain",
                required = true,
                description =
                        "Delete the custom objects that the operator holds, and wait until it has handled that. It must run.")
        private boolean drain;

        @Option(
                names = "--orphan",
                required = true,
                description = "Leave the objects, and call no deletion handlers. The operator must not run any more.")
        private boolean orphan;

        /** True for the one, false for the other. */
        boolean drains() {
            if (drain == orphan) {
                throw CommandException.usage("Say one of --drain and --orphan.");
            }
            return drain;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        if (timeout <= 0) {
            throw CommandException.usage("--timeout must be positive: " + timeout);
        }
        if (!rehearsal) {
            operator.requireScope();
        }
        boolean drains = way.drains();
        Uninstaller uninstaller = new Uninstaller(operator.builder(spec), platform, rehearsal);
        PrintWriter out = spec.commandLine().getOut();
        if (drains) {
            return drained(uninstaller.drain(Duration.ofSeconds(timeout), line -> print(out, line)));
        }
        Orphaned orphaned = uninstaller.orphan(line -> print(out, line));
        int count = orphaned.count();
        print(
                out,
                switch (count) {
                    case 0 ->
                        orphaned.refused() > 0
                                        || !orphaned.unseen().isEmpty()
                                        || !orphaned.unconverted().isEmpty()
                                ? "No object was changed."
                                : "No object has a finalizer or records of this operator.";
                    case 1 -> "One object in all.";
                    default -> count + " objects in all.";
                });
        if (orphaned.refused() > 0) {
            print(
                    spec.commandLine().getErr(),
                    "kopf4j: " + (orphaned.refused() == 1 ? "one object" : orphaned.refused() + " objects")
                            + " could not be changed. Do away with what refuses that, and repeat this.");
        }
        if (orphaned.again() > 0) {
            print(
                    spec.commandLine().getErr(),
                    "kopf4j: " + (orphaned.again() == 1 ? "one object" : orphaned.again() + " objects")
                            + " got them again: the operator still runs. Stop it, wait until its pods are gone, and repeat"
                            + " this.");
        }
        if (!orphaned.unconverted().isEmpty()) {
            print(
                    spec.commandLine().getErr(),
                    "kopf4j: the API server cannot convert objects of these resources, and all but those told above were left alone: "
                            + String.join(", ", orphaned.unconverted())
                            + ". They are not all stored in the version that the definition stores, or that one is not served,"
                            + " or you may not get the definition. Serve it, start the operator, write each object once"
                            + " (`kubectl get RESOURCE -A -o json | kubectl replace -f -`), stop the operator, and repeat"
                            + " this.");
        }
        tellEmpty(orphaned.empty());
        return tellUnseen(orphaned.unseen())
                        || !orphaned.unconverted().isEmpty()
                        || orphaned.again() + orphaned.refused() > 0
                ? ExitCode.FAILURE
                : ExitCode.OK;
    }

    /** Nobody can tell whether such a class has lost a resource, or never had one. */
    private void tellEmpty(List<String> empty) {
        if (!empty.isEmpty()) {
            print(
                    spec.commandLine().getErr(),
                    "kopf4j: the cluster serves none of these classes of resources of handlers: "
                            + String.join(", ", empty)
                            + ". Objects of resources that were among them before may still have the finalizer: let the"
                            + " definition belong to the class again, or serve a version again, and repeat this.");
        }
    }

    /** False if there is nothing to tell. */
    private boolean tellUnseen(List<String> unseen) {
        if (!unseen.isEmpty()) {
            print(
                    spec.commandLine().getErr(),
                    "kopf4j: objects of these resources of handlers were not looked at, and may still have the finalizer: "
                            + String.join(", ", unseen)
                            + ". Let the handlers name a group and version that are served, and repeat this. If the definition"
                            + " was deleted, the objects went with it; --set scanning.optionalResources=true passes over what"
                            + " is not served in any version.");
        }
        return !unseen.isEmpty();
    }

    private static void print(PrintWriter out, String line) {
        out.println(TerminalText.line(line));
        out.flush(); // it may take long until the next one
    }

    private int drained(Drained drained) {
        List<String> left = drained.held();
        tellEmpty(drained.empty());
        boolean unseen = tellUnseen(drained.unseen());
        boolean done = !unseen && left.isEmpty() && drained.kept() == 0;
        if (done || rehearsal) {
            print(
                    spec.commandLine().getOut(),
                    rehearsal
                            ? "Nothing was changed."
                            : "The operator holds no object any more. Stop it, and then take its records off other objects by"
                                    + " `kopf4j uninstall --orphan`.");
        }
        if (done) {
            return ExitCode.OK;
        }
        PrintWriter err = spec.commandLine().getErr();
        if (drained.kept() > 0) {
            err.println("kopf4j: "
                    + (drained.kept() == 1
                            ? "one object of Kubernetes' own kinds still has"
                            : drained.kept() + " objects of Kubernetes' own kinds still have")
                    + " the finalizer, and they are never deleted here: stop the operator, and take it off by `kopf4j"
                    + " uninstall --orphan`.");
        }
        if (!left.isEmpty()) {
            print(err, held(left));
        }
        err.flush();
        return ExitCode.FAILURE;
    }

    private String held(List<String> left) {
        return "kopf4j: after " + timeout + " s the operator still holds "
                + (left.size() == 1 ? "one object: " : left.size() + " objects, such as ")
                + left.getFirst()
                + ". Is it running, and what does it log? Records were left in place. `kopf4j uninstall"
                + " --orphan` lets them go without their deletion handlers.";
    }
}
