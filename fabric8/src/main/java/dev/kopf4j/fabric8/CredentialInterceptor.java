package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.spi.CredentialRenewal;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the operator's credential with each request, as the operator itself does: fabric8 knows neither schemes other
 * than Bearer nor files of tokens. What the server rejects is renewed, and the request is sent once more. Thread-safe.
 */
final class CredentialInterceptor implements Interceptor {
    static final String NAME = "kopf4j-credential";
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");
    private static final int UNAUTHORIZED = 401;

    private final @Nullable CredentialRenewal renewal;
    private volatile ConnectionInfo connection;

    /**
     * Sends this credential.
     *
     * @param renewal gives another one when it is rejected; null if there is no other
     */
    CredentialInterceptor(ConnectionInfo connection, @Nullable CredentialRenewal renewal) {
        this.connection = connection;
        this.renewal = renewal;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        String value = CredentialHeader.of(connection);
        if (value != null) {
            builder.setHeader(CredentialHeader.NAME, value);
        }
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        if (response.code() != UNAUTHORIZED || renewal == null) {
            return CompletableFuture.completedFuture(false);
        }
        String sent = response.request().header(CredentialHeader.NAME);
        // A login may take a while: not in a thread of the HTTP client.
        return CompletableFuture.supplyAsync(() -> isRenewed(renewal, builder, sent), Thread::startVirtualThread);
    }

    private boolean isRenewed(CredentialRenewal from, BasicBuilder builder, @Nullable String sent) {
        try {
            ConnectionInfo used = connection;
            if (Objects.equals(CredentialHeader.of(used), sent)) {
                connection = from.renew(used);
            }
            String value = CredentialHeader.of(connection);
            if (value == null || value.equals(sent)) {
                return false;
            }
            builder.setHeader(CredentialHeader.NAME, value);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException e) {
            log.debug("The credentials of the KubernetesClient are not renewed: {}", e.getMessage());
            return false;
        }
    }
}
