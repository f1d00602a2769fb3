package dev.kopf4j.devcluster.testcontainers;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A dev cluster in a container: a Kubernetes API server for tests, whose kubeconfig any client takes. All is in memory,
 * and gone when the container stops.
 *
 * <pre>{@code
 * try (var cluster = new DevClusterContainer("kopf4j-devcluster:0.1.0").withArguments("--workloads")) {
 *     cluster.start();
 *     // cluster.kubeconfig()
 * }
 * }</pre>
 *
 * <p>By default the container has no arguments, exposes {@link #PORT} at a free port of the Docker host, and has
 * started when the cluster serves; {@link #start} waits 60 s for it, or what {@link #withStartupTimeout} says, and
 * throws {@link org.testcontainers.containers.ContainerLaunchException} if the cluster does not serve by then. As all
 * containers of Testcontainers: set it up and start it in one thread; what it tells when it runs, any thread may ask.
 */
public final class DevClusterContainer extends GenericContainer<DevClusterContainer> {
    /** The port of the API server in the container: 6443. */
    public static final int PORT = 6443;

    private static final String KUBECONFIG = "/tmp/kubeconfig";
    private static final String READY = ".*export KUBECONFIG=.*";

    /**
     * A container of this image, which is not started yet.
     *
     * @param image such as {@code kopf4j-devcluster:0.1.0}; it is pulled if Docker does not have it
     * @throws IllegalArgumentException if this is no name of an image
     */
    public DevClusterContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * A container of this image, which is not started yet.
     *
     * @param image such as {@code kopf4j-devcluster:0.1.0}; it is pulled if Docker does not have it
     */
    public DevClusterContainer(DockerImageName image) {
        super(image);
        addExposedPort(PORT);
        setWaitStrategy(Wait.forLogMessage(READY, 1));
    }

    /**
     * Sets the options of {@code kopf4j devcluster}, such as {@code "--workloads", "--rbac"}; none by default. They
     * take the place of those that were set before.
     *
     * @throws IllegalArgumentException for {@code --address}, {@code --port} and {@code --kubeconfig}, which the image
     *     sets
     */
    public DevClusterContainer withArguments(String... arguments) {
        DevClusterArguments.check(List.of(arguments));
        return withCommand(arguments);
    }

    /** Lets the certificate know the Docker host, if that is not this machine. Called by {@link #start}. */
    @Override
    protected void configure() {
        List<String> given = List.of(getCommandParts());
        List<String> wanted = DevClusterArguments.reachableAt(getHost(), given);
        if (!wanted.equals(given)) {
            setCommand(wanted.toArray(String[]::new));
        }
    }

    /**
     * The kubeconfig of the administrator, as YAML: for clients outside of the container, by the address that Docker
     * has given to {@link #PORT}.
     *
     * @throws IllegalStateException if the container does not run
     */
    public String kubeconfig() {
        if (!isRunning()) {
            throw new IllegalStateException("the dev cluster does not run: there is no kubeconfig before start()");
        }
        String inside =
                copyFileFromContainer(KUBECONFIG, stream -> new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        return ContainerKubeconfig.at(getHost(), getMappedPort(PORT), inside);
    }
}
