package dev.kopf4j.e2e.endurance.process;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.http.HttpFrontend;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The dev cluster with RBAC and a data folder, in a process of its own that notes which PATCHes change nothing. */
public final class ClusterMain {
    private ClusterMain() {}

    /** Arguments: the port, the data folder, where to write the kubeconfig and what PATCHes have done. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        Options options = Options.defaults().rbac(true).data(Path.of(arguments[1]));
        try (DevCluster cluster = DevCluster.start(options);
                PatchNotes notes = PatchNotes.continued(Path.of(arguments[3]), cluster.token(), cluster::handle);
                HttpFrontend frontend =
                        HttpFrontend.bind(InetAddress.getLoopbackAddress(), port, Optional.empty(), line -> {})) {
            frontend.start(notes::answer);
            writeKubeconfig(cluster, "http://127.0.0.1:" + port, Path.of(arguments[2]));
            new CountDownLatch(1).await();
        }
    }

    /** It appears when the cluster listens. */
    private static void writeKubeconfig(DevCluster cluster, String url, Path file) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(made, cluster.kubeconfig().replace(cluster.url(), url));
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
