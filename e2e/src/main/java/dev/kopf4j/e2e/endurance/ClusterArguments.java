package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.process.ForeignServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The options that name an existing cluster, and how its server is disturbed. */
final class ClusterArguments {
    private ClusterArguments() {}

    /** Empty if none is named. */
    static Optional<ExistingCluster> cluster(CommandLine values) {
        Optional<ForeignServer.Commands> freezing = commands(values, "--freeze-server", "--thaw-server");
        Optional<ForeignServer.Commands> dying = commands(values, "--kill-server", "--start-server");
        String kubeconfig = values.get("--kubeconfig");
        if (kubeconfig == null && (freezing.isPresent() || dying.isPresent())) {
            throw new IllegalArgumentException("commands for a server need --kubeconfig");
        }
        if (kubeconfig != null && !Files.isReadable(Path.of(kubeconfig))) {
            throw new IllegalArgumentException("--kubeconfig " + kubeconfig + " cannot be read");
        }
        return Optional.ofNullable(kubeconfig).map(file -> new ExistingCluster(Path.of(file), freezing, dying));
    }

    private static Optional<ForeignServer.Commands> commands(CommandLine values, String begin, String end) {
        if (values.has(begin) != values.has(end)) {
            throw new IllegalArgumentException(begin + " and " + end + " belong together");
        }
        String beginning = values.get(begin);
        String ending = values.get(end);
        return beginning == null || ending == null
                ? Optional.empty()
                : Optional.of(new ForeignServer.Commands(beginning, ending));
    }
}
