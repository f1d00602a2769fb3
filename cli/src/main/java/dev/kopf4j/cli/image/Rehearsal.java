package dev.kopf4j.cli.image;

import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A small operator that does what most operators do, and stops: it shows which classes the start-up cache should have.
 * Its cluster is in this process, so that the cache has nothing of it, and wants TLS and a token, as in real life.
 *
 * @param program the jar of this program; the sources of that operator lie beside its folder
 * @param work where files may be written
 */
record Rehearsal(Path program, Path work) {
    /** Something that runs the program with arguments. */
    @FunctionalInterface
    interface Run {
        void with(List<String> arguments) throws IOException, InterruptedException;
    }

    void run(PrintWriter diagnostics, Run run) throws IOException, InterruptedException {
        Path sources = program.resolveSibling("../warm-up").normalize();
        Files.createDirectories(work);
        Path jar = work.resolve("warm-up.jar");
        OperatorSources operator = new OperatorSources(List.of(sources.resolve("WarmUp.java")), List.of(), List.of());
        OperatorJar.write(operator.files(diagnostics), jar);
        try (DevCluster cluster =
                DevCluster.start(Options.defaults().https(true).authentication(true))) {
            cluster.apply(Files.readString(sources.resolve("manifests.yaml")));
            Path kubeconfig = work.resolve("kubeconfig");
            cluster.writeKubeconfig(kubeconfig);
            run.with(List.of("run", "-A", "--kubeconfig", kubeconfig.toString(), jar.toString()));
        }
    }
}
