package dev.kopf4j.client.kubeconfig;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.integration.IntegrationLookup;
import java.util.Optional;

/**
 * The user of a kubeconfig's context: a credential, or the plugin that gives one. If an entry has both data and a file,
 * the data wins.
 */
record KubeconfigUser(String name, KubeconfigEntry entry) {

    void describe(ConnectionInfo.Builder info, KubeconfigEntry cluster, ExecPluginRunner plugin)
            throws InterruptedException {
        describeCertificate(info);
        info.username(entry.text("username"))
                .password(entry.text("password"))
                .token(entry.text("token"))
                .tokenPath(entry.path("tokenFile"));
        if (entry.section("exec").isPresent()) {
            ExecPluginCommand command =
                    ExecPluginCommand.of(name, entry.section("exec").get(), cluster);
            plugin.run(command).describe(info);
        } else if (entry.section("auth-provider").isPresent()) {
            describeProvider(info, entry.section("auth-provider").get());
        }
    }

    private void describeCertificate(ConnectionInfo.Builder info) {
        String certificate = entry.text("client-certificate-data");
        String key = entry.text("client-key-data");
        info.certificateData(certificate)
                .certificatePath(certificate == null ? entry.path("client-certificate") : null)
                .privateKeyData(key)
                .privateKeyPath(key == null ? entry.path("client-key") : null);
    }

    private void describeProvider(ConnectionInfo.Builder info, KubeconfigEntry provider) throws InterruptedException {
        Optional<String> token = provider.section("config").map(config -> config.text("access-token"));
        info.token((token.isPresent() ? token : integrated(provider))
                .orElseThrow(() -> new NoCredentialsException("the user '" + name + "' in " + entry.file()
                        + " logs in by the auth provider '" + provider.text("name")
                        + "', which is not supported here: use an exec plugin or a token, or add the module"
                        + " kopf4j-fabric8 for OpenID Connect, or a login handler of your own")));
    }

    private Optional<String> integrated(KubeconfigEntry provider) throws InterruptedException {
        try {
            return IntegrationLookup.authProviderToken(entry.file(), name);
        } catch (RuntimeException e) {
            throw new NoCredentialsException(
                    "the user '" + name + "' in " + entry.file() + " cannot log in by the auth provider '"
                            + provider.text("name") + "': " + e.getMessage(),
                    e);
        }
    }
}
