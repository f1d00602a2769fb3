package dev.kopf4j.fabric8;

import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.OpenIDConnectionUtils;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gets tokens from the OpenID Connect providers that a kubeconfig names. */
final class Fabric8Login {
    private static final int ANSWER_WITHIN_SECONDS = 30;

    private Fabric8Login() {}

    /**
     * The token of the file's current user; a new one if the file's token has expired; empty if the user has no such
     * provider.
     */
    static Optional<String> token(Path kubeconfig, String user) throws InterruptedException {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        AuthProviderConfig provider = config.getAuthProvider();
        boolean known = isCurrent(config, user) && provider != null && "oidc".equals(provider.getName());
        if (!known || provider.getConfig() == null) {
            return Optional.empty();
        }
        return OpenIDConnectionUtils.idTokenExpired(config)
                ? renewed(config, provider.getConfig())
                : Optional.ofNullable(provider.getConfig().get("id-token"));
    }

    private static boolean isCurrent(Config config, String user) {
        NamedContext context = config.getCurrentContext();
        return context != null
                && context.getContext() != null
                && user.equals(context.getContext().getUser());
    }

    private static Optional<String> renewed(Config config, Map<String, String> details) throws InterruptedException {
        if (!details.containsKey("idp-certificate-authority-data")
                && !details.containsKey("idp-certificate-authority")) {
            // fabric8 fails on a null reference there.
            throw new IllegalStateException("the id-token has expired, and is not renewed without an"
                    + " idp-certificate-authority-data in the kubeconfig; log in again, as by kubectl");
        }
        var client = HttpClientUtils.getHttpClientFactory().newBuilder(config);
        try {
            String token = OpenIDConnectionUtils.resolveOIDCTokenFromAuthConfig(config, details, client)
                    .get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
            return Optional.ofNullable(token).filter(text -> !text.isBlank());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "the identity provider " + details.get("idp-issuer-url") + " gives no token: " + e, e);
        }
    }
}
