package dev.kopf4j.cli;

import dev.kopf4j.cli.maintenance.Doctor;
import dev.kopf4j.cli.maintenance.Finding;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.text.TerminalText;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j doctor}: tells what is wrong with an operator's objects, rights and streams. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Tells what is wrong with an operator's objects, rights and versions, and with --readiness also with its streams.",
            "It only reads. Settings that are changed by start-up handlers are not known here: give them with --set or --config."
        },
        footer = {
            "",
            "Exit codes: 0 nothing is wrong, 1 the cluster cannot be asked, 2 wrong usage, 4 the sources do not compile,",
            "5 something is wrong."
        })
final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--readiness",
            paramLabel = "URL",
            description = "Ask the operator at this address for the state of its streams, as in `run --readiness`.")
    private @Nullable URI readiness;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "A deletion that takes longer is wrong (default: ${DEFAULT-VALUE}).",
            defaultValue = "600")
    private int patience;

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        if (patience < 0) {
            throw CommandException.usage("--patience must not be negative: " + patience);
        }
        List<Finding> findings =
                new ArrayList<>(new Doctor(operator.builder(spec), Duration.ofSeconds(patience)).findings());
        if (readiness != null) {
            findings.addAll(RunningOperator.findings(readiness));
        }
        PrintWriter out = spec.commandLine().getOut();
        findings.forEach(each -> print(out, each));
        if (findings.isEmpty()) {
            out.println("Nothing is wrong.");
        }
        out.flush();
        return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    }

    private static void print(PrintWriter out, Finding finding) {
        out.println(TerminalText.line(finding.problem()));
        finding.places().forEach(place -> out.println(TerminalText.line("    at: " + place)));
        long more = finding.count() - finding.places().size();
        if (more > 0) {
            out.println("    and " + more + " more");
        }
        out.println(TerminalText.line("    way out: " + finding.wayOut()));
    }
}
