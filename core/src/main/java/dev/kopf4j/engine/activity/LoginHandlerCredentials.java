package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.CredentialSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Credentials from the user's login handlers.
 *
 * @param activityRunner whose handlers are called at each login
 */
public record LoginHandlerCredentials(ActivityRunner activityRunner) implements CredentialSource {
    @Override
    public Map<String, ConnectionInfo> retrieve() throws InterruptedException {
        Map<String, ConnectionInfo> found = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Object> result :
                    activityRunner.run(Activity.LOGIN).entrySet()) {
                credential(result.getKey(), result.getValue()).ifPresent(info -> found.put(result.getKey(), info));
            }
        } catch (ActivityException e) {
            throw new NoCredentialsException(String.valueOf(e.getMessage()), e);
        }
        return found;
    }

    private static Optional<ConnectionInfo> credential(String id, Object result) {
        return switch (result) {
            case ConnectionInfo info -> Optional.of(info);
            case Optional<?> none when none.isEmpty() -> Optional.empty();
            case Optional<?> some when some.get() instanceof ConnectionInfo info -> Optional.of(info);
            default ->
                throw new NoCredentialsException("the login handler '" + id
                        + "' must return a ConnectionInfo, an Optional of one, or null, but has returned a "
                        + result.getClass().getName());
        };
    }
}
