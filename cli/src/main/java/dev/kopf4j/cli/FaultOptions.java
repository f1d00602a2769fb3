package dev.kopf4j.cli;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.faultinjection.Faults;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The faults that the embedded cluster injects. */
final class FaultOptions {
    @Option(
            names = "--fault",
            paramLabel = "RULE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "Let something go wrong, e.g. \"10%% PATCH /apis/kopf.dev/** 429 1s\"; repeatable. RULE is"
                    + " [N%%] [xTIMES] METHOD PATH FAULT; see docs/devcluster.md.")
    private List<String> faultRules = new ArrayList<>();

    @Option(
            names = "--fault-seed",
            paramLabel = "N",
            description = "The seed of what goes wrong (default: ${DEFAULT-VALUE}).")
    private long faultSeed;

    @Option(
            names = "--fault-control",
            description = "Let the administrator set faults over HTTP, at /devcluster/faults.")
    private boolean faultControl;

    boolean isGiven() {
        return !faultRules.isEmpty() || faultControl;
    }

    Options applyTo(Options options) {
        return options.faults(faults()).faultControl(faultControl);
    }

    private Faults faults() {
        Faults faults = new Faults(faultSeed);
        try {
            faultRules.forEach(faults::add);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--fault: " + e.getMessage());
        }
        return faults;
    }
}
