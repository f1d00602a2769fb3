package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.handling.context.ServiceProvider;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of other libraries that handlers have asked for: one of each type for the whole operator. Thread-safe.
 */
final class IntegrationServices implements ServiceProvider, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final ClusterAccess access;
    private final Supplier<NetworkSettings> settings;
    private volatile @Nullable ConnectionProvider connection;
    private volatile @Nullable WriteListener listener;
    private final Map<Class<?>, AutoCloseable> open = new HashMap<>();

    /**
     * No clients.
     *
     * @param settings asked for when a client is made: start-up handlers may change them
     */
    IntegrationServices(ClusterAccess access, Supplier<NetworkSettings> settings) {
        this.access = access;
        this.settings = settings;
    }

    /** From now on, rejected credentials of the clients are renewed together with the operator's own. */
    void renewWith(ConnectionProvider own) {
        connection = own;
    }

    /** From now on, that one hears what the clients write. */
    void tellWritesTo(WriteListener other) {
        listener = other;
    }

    private void answered(String method, String target, byte[] answer) {
        WriteListener known = listener;
        if (known != null) {
            known.answered(method, target, answer);
        }
    }

    private ConnectionInfo renew(ConnectionInfo rejected) throws InterruptedException {
        ConnectionProvider own = connection;
        return own == null ? rejected : own.renew(rejected);
    }

    @Override
    public synchronized Object get(Class<?> type) {
        return open.computeIfAbsent(type, this::make);
    }

    private AutoCloseable make(Class<?> type) {
        Integration integration = IntegrationLookup.forServiceType(type)
                .orElseThrow(() -> new IllegalStateException("no integration makes services of " + type.getName()
                        + "; add its module, such as kopf4j-fabric8"));
        try {
            return access.open(integration, type, settings.get(), this::renew, this::answered);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while logging in for a " + type.getSimpleName(), e);
        }
    }

    @Override
    public synchronized void close() {
        open.forEach(IntegrationServices::close);
        open.clear();
    }

    private static void close(Class<?> type, AutoCloseable service) {
        try {
            service.close();
        } catch (Exception e) {
            log.warn("The {} of the handlers could not be closed: {}", type.getSimpleName(), e.toString());
        }
    }
}
