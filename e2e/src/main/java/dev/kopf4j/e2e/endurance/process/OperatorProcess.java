package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One replica of the operator, through all the processes that it takes. Used by one thread at a time, but for
 * {@link #address}.
 */
public final class OperatorProcess implements AutoCloseable {
    private final String title;
    private final Path program;
    private final Path folder;
    private final Function<Integer, Path> kubeconfig;
    private final boolean elected;
    private ChildProcess process;
    private final List<Long> starts = new ArrayList<>();
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
        starts.add(System.currentTimeMillis());
        address = URI.create("http://127.0.0.1:" + freePort());
        OperatorCommand command = new OperatorCommand(program, kubeconfig.apply(starts.size()), address, calls(folder));
        return ChildProcess.start(
                title,
                elected ? command.environmentOfElected(title) : command.environment(),
                folder.resolve(title + ".log"),
                command.line());
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

    /** When its processes were started, in milliseconds, oldest first. */
    public List<Long> starts() {
        return List.copyOf(starts);
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
