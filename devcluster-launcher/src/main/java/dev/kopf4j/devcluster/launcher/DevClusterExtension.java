package dev.kopf4j.devcluster.launcher;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests of JUnit a dev cluster, as a parameter of the type {@link DevClusterProcess}.
 *
 * <p>{@code @ExtendWith(DevClusterExtension.class)}: one cluster for all tests of this process that say so, started by
 * the first one; it ends with the process. {@code @RegisterExtension static DevClusterExtension cluster = new
 * DevClusterExtension(LaunchOptions.defaults().arguments("--rbac"))}: one for the tests of the class and of the classes
 * in it ({@code @Nested}). Thread-safe.
 */
public final class DevClusterExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static @Nullable DevClusterProcess shared;

    private final @Nullable LaunchOptions options;
    private @Nullable DevClusterProcess own;

    /** The class for whose tests the own cluster runs; those in it are asked as well, and end before it. */
    private @Nullable String owner;

    /** The cluster that is shared by all tests of the process. */
    public DevClusterExtension() {
        this.options = null;
    }

    /** A cluster for the tests of one class. */
    public DevClusterExtension(LaunchOptions options) {
        this.options = options;
    }

    /**
     * The cluster.
     *
     * @throws IllegalStateException if it cannot be started; the message says why
     */
    public DevClusterProcess cluster() {
        return options == null ? shared() : own(options);
    }

    private static synchronized DevClusterProcess shared() {
        DevClusterProcess running = shared;
        if (running == null || !running.isRunning()) {
            running = DevClusterProcess.start();
            Runtime.getRuntime().addShutdownHook(new Thread(running::close, "kopf4j-devcluster-stop"));
            shared = running;
        }
        return running;
    }

    private synchronized DevClusterProcess own(LaunchOptions wanted) {
        DevClusterProcess running = own;
        if (running == null) {
            running = DevClusterProcess.start(wanted);
            own = running;
        }
        return running;
    }

    @Override
    public synchronized void beforeAll(ExtensionContext context) {
        if (owner == null) {
            owner = context.getUniqueId();
        }
        cluster();
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) {
        if (!context.getUniqueId().equals(owner)) {
            return;
        }
        owner = null;
        if (own != null) {
            own.close();
            own = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DevClusterProcess.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cluster();
    }
}
