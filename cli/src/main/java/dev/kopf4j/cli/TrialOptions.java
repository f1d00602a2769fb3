package dev.kopf4j.cli;

import dev.kopf4j.cli.plan.ClusterCopy;
import dev.kopf4j.cli.plan.CutOff;
import dev.kopf4j.cli.process.CommandException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Whether handlers may be called with a copy of a cluster: in a process without a network, or with consent. */
final class TrialOptions {
    /** What is typed to allow it. */
    private static final String CONSENT = "call them";

    @Option(
            names = "--consent",
            paramLabel = "WORDS",
            description = "With --run or --children: \"" + CONSENT
                    + "\" calls the handlers with the network that there is, unasked.")
    private @Nullable String consent;

    @Option(names = CutOff.OPTION, hidden = true, description = "Read the copy of the cluster from the standard input.")
    private boolean copied;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    void check() {
        if (consent != null && !consent.equals(CONSENT)) {
            throw CommandException.usage("--consent takes the words \"" + CONSENT + "\".");
        }
    }

    /** True in the process without a network: its copy of the cluster comes from the standard input. */
    boolean isCutOff() {
        return copied;
    }

    /** The copy from the standard input. */
    ClusterCopy copy() {
        try {
            return ClusterCopy.from(new DataInputStream(new BufferedInputStream(System.in)));
        } catch (IOException e) {
            throw new UncheckedIOException("The copy of the cluster cannot be read from the standard input", e);
        }
    }

    /**
     * How to call handlers without a network; empty if they may be called in this process.
     *
     * @param instead what is done without them, in words
     * @throws CommandException if neither is possible
     */
    Optional<CutOff> away(ClusterCopy copy, String instead) throws InterruptedException {
        if (copied || consent != null) {
            return Optional.empty();
        }
        Optional<CutOff> cut = CutOff.ofThisProcess(spec.name());
        if (cut.isEmpty()) {
            ask(copy, instead);
        }
        return cut;
    }

    /** Asks for consent, in words. */
    private void ask(ClusterCopy copy, String instead) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("The handlers will be called, for copies of " + copy.size()
                + " objects. What they do outside of the" + " cluster, they do for real:");
        err.println(
                "they reach services and databases, write files, and start programs. This machine cannot cut them off.");
        err.print("Type \"" + CONSENT + "\" to go on: ");
        err.flush();
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            if (!CONSENT.equals(in.readLine())) {
                throw CommandException.failure("Nothing was called. " + instead);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The answer cannot be read", e);
        }
    }
}
