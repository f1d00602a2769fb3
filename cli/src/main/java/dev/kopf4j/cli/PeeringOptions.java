package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.peering.PeerIdentity;
import dev.kopf4j.engine.peering.PeeringRecordsByHand;
import dev.kopf4j.engine.peering.PeeringRecordsByHand.Removal;
import dev.kopf4j.runtime.SystemPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The cluster with the peering objects that a command writes into, and the identity that it writes. */
final class PeeringOptions {
    @Option(
            names = {"-i", "--id"},
            paramLabel = "ID",
            description = "The identity in the record (default: user@host).")
    private @Nullable String id;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    /**
     * The peering objects that are meant.
     *
     * @param name of the peering; empty if none was given
     * @param namespaces of its operators; none for those of the whole cluster
     */
    record Peering(String name, List<String> namespaces) {
        /** As the options of a command say. */
        static Peering of(String name, List<String> namespaces, boolean allNamespaces) {
            if (name.isEmpty()) {
                throw CommandException.usage("Missing required option: '--peering=NAME'");
            }
            if (allNamespaces && !namespaces.isEmpty()) {
                throw CommandException.usage("Either --namespace or --all-namespaces can be used, not both.");
            }
            return new Peering(name, namespaces);
        }
    }

    /** Where the cluster and the credentials are; null for the usual places. */
    @Nullable Path kubeconfig() {
        return kubeconfig;
    }

    /** Whether an identity was given, which only a peering has. */
    boolean hasIdentity() {
        return id != null;
    }

    /** The identity in the record. */
    String identity() {
        return id == null ? PeerIdentity.ofPerson() : id;
    }

    /** Writes a record into each peering object, and returns the objects. */
    List<String> record(Peering peering, long priority, Duration lifetime) throws InterruptedException {
        return written(peering, (records, places) -> records.write(places, identity(), priority, lifetime));
    }

    /** Removes the record from each peering object. */
    List<Removal> remove(Peering peering) throws InterruptedException {
        return written(peering, (records, places) -> records.remove(places, identity()));
    }

    /** Writes into peering objects; the result has an entry for each. */
    @FunctionalInterface
    private interface Writing<T> {
        List<T> by(PeeringRecordsByHand records, Set<String> places) throws InterruptedException;
    }

    private <T> List<T> written(Peering peering, Writing<T> writing) throws InterruptedException {
        String name = peering.name();
        List<String> namespaces = peering.namespaces();
        OperatorBuilder builder = Operator.builder().namespaces(namespaces.toArray(String[]::new));
        builder.settings(settings -> settings.peering().name(name));
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        SystemPlatform platform = new SystemPlatform();
        OperatorPlan plan = OperatorPlan.of(builder);
        List<T> written = ClusterSurvey.connect(plan, platform, api -> {
            Set<String> places = ClusterSurvey.namespaces(api, plan);
            // No namespaces at all would mean the whole cluster.
            return places.isEmpty() && !namespaces.isEmpty()
                    ? List.<T>of()
                    : writing.by(new PeeringRecordsByHand(platform, api, name), places);
        });
        if (written.isEmpty()) {
            throw new OperatorException("Cannot find the peering resource for '" + name + "' "
                    + (namespaces.isEmpty() ? "cluster-wide" : "in " + namespaces)
                    + ": create the definitions (deploy/peering-types.yaml) and an object of this name, as in"
                    + " deploy/peering.yaml.");
        }
        return written;
    }
}
