package dev.kopf4j.spi;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.ResourceSelector;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client library that handlers want to use: its models as parameters, its client with the operator's credentials.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Thread-safe. Implementations must not load classes of the library before
 * one of these methods needs them.
 */
public interface Integration {
    /** True if objects of the type can be made from JSON by {@link #bind}. */
    boolean binds(Class<?> type);

    /**
     * Makes a model, or another value that it {@link #converts}, from JSON.
     *
     * @throws RuntimeException if the JSON does not fit, with the path in the message
     */
    Object bind(String json, Class<?> type);

    /**
     * True if values of the type become JSON, and come of it, by the library alone, wherever they are in records, lists
     * or maps: its models and their parts, and single values such as quantities. By default the types that it
     * {@link #binds}.
     */
    default boolean converts(Class<?> type) {
        return binds(type);
    }

    /** True if it can make {@link #open services} of this type. */
    boolean serves(Class<?> type);

    /**
     * What a service has of the operator.
     *
     * @param connection where the server is, and the credentials to begin with
     * @param renewal gives new ones when the server does not accept them any more, or the operator has changed to
     *     others
     * @param listener is to hear what the service writes. If it does not, handlers find their own writes in indices and
     *     lists of children when the server's events tell of them
     */
    record Access(ConnectionInfo connection, CredentialRenewal renewal, WriteListener listener) {}

    /**
     * Makes a service, such as a client, with the credentials of the operator. It is {@link #close closed} when the
     * operator ends.
     */
    AutoCloseable open(Class<?> type, Access access);

    /**
     * Makes a service like {@link #open}, whose requests go another way than over sockets, such as into a simulation.
     * They must send none again themselves: the way does.
     *
     * @throws IllegalStateException if the library has no such service; the default
     */
    default AutoCloseable openThrough(Class<?> type, Access access, RequestChannel channel) {
        throw new IllegalStateException(
                "a " + type.getName()
                        + " has no place in virtual time: its requests do not go through the simulation. Test this in real time");
    }

    /**
     * Closes a service that it has made, when the operator ends. All handlers share the service: what it offers them to
     * close it by should do nothing.
     *
     * @throws Exception if it cannot be closed
     */
    default void close(AutoCloseable service) throws Exception {
        service.close();
    }

    /**
     * Returns the token of a kubeconfig's current user who logs in by an auth provider that the library knows, such as
     * OpenID Connect. Called at each login; an expired token is renewed.
     *
     * @param kubeconfig the file
     * @param user the name of the user in it
     * @return empty if the library does not support the provider; the default
     * @throws RuntimeException if the provider refuses, with the reason in the message
     * @throws InterruptedException if the task is interrupted
     */
    default Optional<String> token(Path kubeconfig, String user) throws InterruptedException {
        return Optional.empty();
    }

    /** True if the object is one of the library's models. */
    boolean isModel(Object object);

    /** Returns the model as plain maps and lists, as the library itself would serialise it. */
    Map<String, @Nullable Object> toMap(Object model);

    /**
     * Returns a value of a type that the library {@link #converts} as it would serialise it: maps, lists, texts,
     * numbers, flags. By default, all of them are models.
     */
    default @Nullable Object toValue(Object value) {
        return toMap(value);
    }

    /** Changes the {@code metadata} of a model in place; the change gets it as plain maps and lists. */
    void changeMetadata(Object model, Consumer<Map<String, @Nullable Object>> change);

    /**
     * Returns the part of a model below a key, such as {@code spec}: a model again, or a mutable map; empty if there is
     * none.
     *
     * @throws IllegalArgumentException if such a model has no part of that name
     */
    Optional<Object> part(Object model, String key);

    /** Returns the resource that a model class stands for; empty if the class is none of the library's. */
    Optional<ResourceSelector> selector(Class<?> model);
}
