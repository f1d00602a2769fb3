package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The dev cluster in a process of its own, always at one address. */
public final class DevServer implements TrialServer {
    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;
    private final int port = OperatorProcess.freePort();
    private ChildProcess process;

    /** A cluster that keeps all it needs in this folder; it listens. */
    public DevServer(Path folder) {
        this.folder = folder;
        this.process = launch();
    }

    private ChildProcess launch() {
        try {
            Files.deleteIfExists(kubeconfig());
        } catch (IOException e) {
            throw new UncheckedIOException("an old kubeconfig cannot be deleted", e);
        }
        ChildProcess launched = ChildProcess.start(
                "the cluster",
                Map.of(),
                folder.resolve("cluster.log"),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClusterMain.class.getName(),
                        Integer.toString(port),
                        folder.resolve("data").toString(),
                        kubeconfig().toString(),
                        notes().toString()));
        awaitKubeconfig(launched);
        return launched;
    }

    private void awaitKubeconfig(ChildProcess launched) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.exists(kubeconfig())) {
            if (!launched.isRunning() || System.nanoTime() > end) {
                launched.close();
                throw new IllegalStateException("the cluster does not start; see " + folder.resolve("cluster.log"));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private Path notes() {
        return folder.resolve("patches");
    }

    @Override
    public Path kubeconfig() {
        return folder.resolve("kubeconfig-administrator");
    }

    @Override
    public boolean canFreeze() {
        return true;
    }

    @Override
    public boolean canDie() {
        return true;
    }

    @Override
    public void freeze() {
        process.freeze();
    }

    @Override
    public void thaw() {
        process.thaw();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void start() {
        process.close();
        process = launch();
    }

    @Override
    public PatchCount patches() {
        return PatchCount.read(notes());
    }

    @Override
    public void close() {
        process.close();
    }
}
