package dev.kopf4j.fabric8;

import dev.kopf4j.ResourceSelector;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.RequestChannel;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives handlers fabric8's models and client as parameters. {@link java.util.ServiceLoader} finds it.
 *
 * <p>Thread-safe. Refers to fabric8 by names only, until something of it is used: this class is loaded in every
 * operator.
 */
public final class Fabric8Integration implements Integration {
    /** Called by the service loader; loads nothing. */
    public Fabric8Integration() {}

    @Override
    public boolean binds(Class<?> type) {
        return Fabric8Types.isModel(type);
    }

    @Override
    public boolean converts(Class<?> type) {
        return Fabric8Types.isValue(type);
    }

    @Override
    public Object bind(String json, Class<?> type) {
        return Fabric8Models.bind(json, type);
    }

    @Override
    public boolean serves(Class<?> type) {
        return Fabric8Types.isClient(type);
    }

    @Override
    public AutoCloseable open(Class<?> type, Access access) {
        return Fabric8Clients.open(access.connection(), access.renewal(), access.listener());
    }

    @Override
    public AutoCloseable openThrough(Class<?> type, Access access, RequestChannel channel) {
        return Fabric8Clients.openThrough(channel, access.connection(), access.listener());
    }

    @Override
    public void close(AutoCloseable service) {
        Fabric8Clients.end((KubernetesClient) service);
    }

    @Override
    public Optional<String> token(Path kubeconfig, String user) throws InterruptedException {
        return Fabric8Login.token(kubeconfig, user);
    }

    @Override
    public boolean isModel(Object object) {
        return Fabric8Types.isModel(object.getClass()) || Fabric8Types.isTree(object.getClass());
    }

    @Override
    public Map<String, @Nullable Object> toMap(Object model) {
        return Fabric8Models.toMap(model);
    }

    @Override
    public @Nullable Object toValue(Object value) {
        return Fabric8Models.toValue(value);
    }

    @Override
    public void changeMetadata(Object model, Consumer<Map<String, @Nullable Object>> change) {
        Fabric8Metadata.change(model, change);
    }

    @Override
    public Optional<Object> part(Object model, String key) {
        return ModelParts.get(model, key);
    }

    @Override
    public Optional<ResourceSelector> selector(Class<?> model) {
        return Fabric8Types.isModel(model) ? ModelSelector.of(model) : Optional.empty();
    }
}
