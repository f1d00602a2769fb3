package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.process.CommandException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The namespaces that {@code kopf4j run} watches. */
final class NamespaceOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            split = "(?<=\\S)\\s+",
            converter = Stripped.class,
            hideParamSyntax = true,
            description = "Watch this namespace only; repeatable.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Watch the whole cluster.")
    private boolean allNamespaces;

    void check() {
        if (namespaces.stream().anyMatch(String::isBlank)) {
            throw CommandException.usage(
                    "--namespace is empty, perhaps as a variable of the shell is: name a namespace,"
                            + " or all of them by --all-namespaces.");
        }
        if (allNamespaces && !namespaces.isEmpty()) {
            throw CommandException.usage("Either --namespace or --all-namespaces can be used, not both.");
        }
    }

    /** For commands that would be too powerful if somebody forgets to say where. */
    void requireScope() {
        if (!allNamespaces && namespaces.isEmpty()) {
            throw CommandException.usage(
                    "Neither --namespace nor --all-namespaces is given: nothing was changed. Name the"
                            + " namespaces by -n, or the whole cluster by -A; --dry-run tells what would be done there.");
        }
    }

    /** The same for another process. */
    List<String> arguments() {
        return namespaces.isEmpty()
                ? List.of("--all-namespaces")
                : namespaces.stream().map(each -> "--namespace=" + each).toList();
    }

    /** What nobody has said is the whole cluster. */
    void applyTo(OperatorBuilder builder) {
        if (namespaces.isEmpty()) {
            builder.clusterwide();
        } else {
            applyGivenTo(builder);
        }
    }

    /** What nobody has said is left open: the operator warns then. */
    void applyGivenTo(OperatorBuilder builder) {
        if (allNamespaces) {
            builder.clusterwide();
        }
        builder.namespaces(namespaces.toArray(String[]::new));
    }

    /** What comes from a file or a list of the shell may begin with a blank, which separates nothing. */
    private static final class Stripped implements ITypeConverter<String> {
        @Override
        public String convert(String name) {
            return name.strip();
        }
    }
}
