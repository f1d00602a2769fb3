package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.socket.NetrcFile;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Completes the credentials of another source by what the user's environment says, where that is trusted: its proxies
 * count, and the {@code .netrc} file has the name and password, if nothing else would be in the header
 * {@code Authorization}. The file is read at each login, so also when the server has rejected a password. Thread-safe.
 *
 * @param source gives credentials
 * @param trustEnv whether the environment is trusted in any case, or only where a credential says so
 * @param environment may name the file by {@code NETRC}; it is in the home folder otherwise
 */
public record EnvironmentCredentials(CredentialSource source, boolean trustEnv, Map<String, String> environment)
        implements CredentialSource {
    /** Copies the environment. */
    public EnvironmentCredentials {
        environment = Map.copyOf(environment);
    }

    /** Completes by the file of the user who runs this program. */
    public static CredentialSource of(CredentialSource source, boolean trustEnv) {
        return new EnvironmentCredentials(source, trustEnv, System.getenv());
    }

    @Override
    public Map<String, ConnectionInfo> retrieve() throws InterruptedException {
        Map<String, ConnectionInfo> completed = new LinkedHashMap<>(source.retrieve());
        completed.replaceAll((login, info) -> trustEnv || info.trustEnv() ? completed(info) : info);
        return completed;
    }

    private ConnectionInfo completed(ConnectionInfo info) {
        ConnectionInfo.Builder more = info.toBuilder().trustEnv(true);
        if (provesNoUser(info)) {
            NetrcFile.of(environment)
                    .find(URI.create(info.server()).getHost())
                    .ifPresent(machine -> more.username(machine.login()).password(machine.password()));
        }
        return more.build();
    }

    private static boolean provesNoUser(ConnectionInfo info) {
        return info.username() == null && info.scheme() == null && info.token() == null && info.tokenPath() == null;
    }
}
