package dev.kopf4j.client;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Turns what a login gives into connections, as far as it is of use.
 *
 * @param source where credentials come from
 * @param connector makes transports
 * @param refused tells the credentials, by login, that are not taken
 */
record CredentialIntake(
        Platform platform,
        CredentialSource source,
        Function<ConnectionInfo, Transport> connector,
        BiPredicate<String, ConnectionInfo> refused) {

    /** A credential with the connection made of it. */
    record Item(String login, ConnectionInfo info, Connection connection) {
        boolean isExpired(Platform platform) {
            return CredentialIntake.isExpired(platform, info);
        }
    }

    private static boolean isExpired(Platform platform, ConnectionInfo info) {
        return info.expiration() != null && !platform.now().isBefore(info.expiration());
    }

    /** Logs in; throws {@link LoginException} if there is nothing to use. */
    List<Item> retrieve() throws InterruptedException {
        Map<String, ConnectionInfo> credentials = source.retrieve();
        if (credentials.isEmpty()) {
            throw new LoginException("no credentials were retrieved from the login handlers.");
        }
        List<Item> usable = new ArrayList<>();
        for (Map.Entry<String, ConnectionInfo> entry : credentials.entrySet()) {
            if (!isExpired(platform, entry.getValue()) && !refused.test(entry.getKey(), entry.getValue())) {
                usable.add(connected(entry.getKey(), entry.getValue()));
            }
        }
        if (usable.isEmpty()) {
            throw new LoginException("Ran out of valid credentials: the logins " + credentials.keySet()
                    + " gave only those that the server has just rejected, or that have expired.");
        }
        return usable;
    }

    private Item connected(String login, ConnectionInfo info) {
        try {
            String namespace = Optional.ofNullable(info.defaultNamespace()).orElse("default");
            return new Item(login, info, new Connection(connector.apply(info), info.server(), namespace));
        } catch (IllegalArgumentException e) {
            throw new LoginException(
                    "the credential of the login '" + login + "' cannot be used: " + e.getMessage(), e);
        }
    }
}
