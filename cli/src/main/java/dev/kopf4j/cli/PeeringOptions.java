package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.cli.ObjectPlaceOptions.ObjectPlace;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.peering.PeerIdentity;
import dev.kopf4j.engine.peering.PeeringRecordWriter;
import dev.kopf4j.engine.peering.PeeringRecordWriter.Removal;
import dev.kopf4j.runtime.SystemPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The peering objects that a command writes into, and the identity that it writes. */
final class PeeringOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            split = "\\s+",
            hideParamSyntax = true,
            description = "The peering of operators of this namespace; repeatable.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "The peering of operators of the whole cluster.")
    private boolean allNamespaces;

    @Option(
            names = {"-i", "--id"},
            paramLabel = "ID",
            description = "The identity in the record (default: user@host).")
    private @Nullable String id;

    @Option(
            names = {"-P", "--peering"},
            paramLabel = "NAME",
            description = "The name of the peering.")
    private String peering = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    /** Where objects are, if some are named instead of a peering. */
    ObjectPlace placeOfObjects() {
        if (id != null || !peering.isEmpty()) {
            throw CommandException.usage("--id and --peering are about a peering: leave them out, or the objects.");
        }
        if (namespaces.size() > 1) {
            throw CommandException.usage("Objects are in one namespace: " + namespaces);
        }
        return new ObjectPlace(namespaces.isEmpty() ? null : namespaces.getFirst(), allNamespaces, kubeconfig);
    }

    /** The identity in the record. */
    String identity() {
        return id == null ? PeerIdentity.ofPerson() : id;
    }

    /** Writes a record into each peering object, and returns the objects. */
    List<String> record(long priority, Duration lifetime) throws InterruptedException {
        return written(writer -> writer.write(namespaces, identity(), priority, lifetime));
    }

    /** Removes the record from each peering object. */
    List<Removal> remove() throws InterruptedException {
        return written(writer -> writer.remove(namespaces, identity()));
    }

    /** Writes into peering objects; the result has an entry for each. */
    @FunctionalInterface
    private interface Writing<T> {
        List<T> by(PeeringRecordWriter writer) throws InterruptedException;
    }

    private <T> List<T> written(Writing<T> writing) throws InterruptedException {
        if (peering.isEmpty()) {
            throw CommandException.usage("Missing required option: '--peering=NAME'");
        }
        if (allNamespaces && !namespaces.isEmpty()) {
            throw CommandException.usage("Either --namespace or --all-namespaces can be used, not both.");
        }
        OperatorBuilder builder = Operator.builder().namespaces(namespaces.toArray(String[]::new));
        builder.settings(settings -> settings.peering().name(peering));
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        SystemPlatform platform = new SystemPlatform();
        List<T> written = ClusterSurvey.connect(
                OperatorPlan.of(builder), platform, api -> writing.by(new PeeringRecordWriter(platform, api, peering)));
        if (written.isEmpty()) {
            throw new OperatorException("Cannot find the peering resource for '" + peering + "' "
                    + (namespaces.isEmpty() ? "cluster-wide" : "in " + namespaces)
                    + ": create the definitions (deploy/peering-types.yaml) and an object of this name, as in"
                    + " deploy/peering.yaml.");
        }
        return written;
    }
}
