package dev.kopf4j.e2e.endurance.process;

import dev.kopf4j.e2e.endurance.operator.TrialHandlers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One replica of the operator, through all the processes that it takes. Used by one thread at a time, but for
 * {@link #address}.
 */
public final class OperatorProcess implements AutoCloseable {
    private static final Map<String, String> QUICK_LEASES = Map.of(
            "KOPF4J_SETTINGS_LEADER_ELECTION_ENABLED", "true",
            "KOPF4J_SETTINGS_LEADER_ELECTION_LEASE_NAME", "kopf4j-endurance",
            "KOPF4J_SETTINGS_LEADER_ELECTION_LEASE_DURATION", "4s",
            "KOPF4J_SETTINGS_LEADER_ELECTION_RENEW_DEADLINE", "3s",
            "KOPF4J_SETTINGS_LEADER_ELECTION_RETRY_PERIOD", "500ms");

    private final String title;
    private final Path program;
    private final Path folder;
    private final Function<Integer, Path> kubeconfig;
    private final boolean elected;
    private ChildProcess process;
    private int starts;
    private volatile URI address = URI.create("http://127.0.0.1:0");

    /**
     * A replica that is running.
     *
     * @param title what messages and its log file call it
     * @param program the launcher of kopf4j
     * @param folder where the calls and the log are written
     * @param kubeconfig how the process of this number, from 1, reaches the cluster
     * @param elected whether it acts only while it holds the lease
     */
    public OperatorProcess(
            String title, Path program, Path folder, Function<Integer, Path> kubeconfig, boolean elected) {
        this.title = title;
        this.program = program;
        this.folder = folder;
        this.kubeconfig = kubeconfig;
        this.elected = elected;
        this.process = launch();
    }

    /** The file of calls below a folder. */
    public static Path calls(Path folder) {
        return folder.resolve("calls");
    }

    private ChildProcess launch() {
        starts++;
        address = URI.create("http://127.0.0.1:" + freePort());
        Map<String, String> environment = new HashMap<>();
        environment.put(TrialHandlers.FILE, calls(folder).toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("KOPF4J_CACHE", "off"); // its making would take a processor while the first operators run
        if (elected) {
            environment.putAll(QUICK_LEASES);
            environment.put("KOPF4J_SETTINGS_LEADER_ELECTION_IDENTITY", title);
        }
        return ChildProcess.start(title, environment, folder.resolve(title + ".log"), command());
    }

    private List<String> command() {
        return new ArrayList<>(List.of(
                program.toString(),
                "run",
                "--all-namespaces",
                "--standalone",
                "--kubeconfig",
                kubeconfig.apply(starts).toString(),
                "--liveness",
                address + "/healthz",
                "--readiness",
                address + "/ready",
                "-m",
                TrialHandlers.class.getName(),
                classes().toString()));
    }

    private static Path classes() {
        return Path.of(URI.create(TrialHandlers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("there is no free port", e);
        }
    }

    /** Where it answers probes; another one after each start. From any thread. */
    public URI address() {
        return address;
    }

    public String title() {
        return title;
    }

    public int starts() {
        return starts;
    }

    public ChildProcess process() {
        return process;
    }

    /** Starts it if it is not running; whether that was so. */
    public boolean ensureRunning() {
        if (process.isRunning()) {
            return false;
        }
        process.close();
        process = launch();
        return true;
    }

    @Override
    public void close() {
        process.close();
    }
}
