package dev.kopf4j.webhook;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The options of a {@link LocalWebhookServer}. Nobody changes one that was handed out. */
final class LocalServerOptions implements LocalWebhookServer {
    private static final int PORT_MAX = 65_535;

    private @Nullable String address;
    private int port;
    private String path = "";
    private @Nullable String host;
    private List<String> extraHosts = List.of();
    private WebhookClientConfig.@Nullable Service service;
    private boolean insecure;
    private @Nullable Path certificateFile;
    private @Nullable Path keyFile;
    private @Nullable String password;
    private @Nullable Path caFile;
    private @Nullable String caPem;
    private @Nullable Path caDump;
    private ClientVerification clientCertificates = ClientVerification.NONE;
    private List<Path> clientCas = List.of();
    private @Nullable SSLContext sslContext;
    private Duration fileCheckInterval = Duration.ofMinutes(1);

    LocalServerOptions() {}

    private LocalServerOptions changed(Consumer<LocalServerOptions> change) {
        LocalServerOptions copy = new LocalServerOptions();
        copy.address = address;
        copy.port = port;
        copy.path = path;
        copy.host = host;
        copy.extraHosts = extraHosts;
        copy.service = service;
        copy.insecure = insecure;
        copy.certificateFile = certificateFile;
        copy.keyFile = keyFile;
        copy.password = password;
        copy.caFile = caFile;
        copy.caPem = caPem;
        copy.caDump = caDump;
        copy.clientCertificates = clientCertificates;
        copy.clientCas = clientCas;
        copy.sslContext = sslContext;
        copy.fileCheckInterval = fileCheckInterval;
        change.accept(copy);
        copy.check();
        return copy;
    }

    private void check() {
        refuse(port < 0 || port > PORT_MAX, "the port of a webhook server is 0 to 65535, not " + port);
        refuse(
                fileCheckInterval.isNegative() || fileCheckInterval.isZero(),
                "the files of a webhook server are looked at in intervals longer than zero, not " + fileCheckInterval);
        refuse(
                insecure && (sslContext != null || certificateFile != null),
                "a webhook server that is insecure() has no use for sslContext(...) or certificate(...):"
                        + " leave one of them out");
        refuse(
                sslContext != null && certificateFile != null,
                "a webhook server takes its certificate from sslContext(...) or from certificate(...), not from both");
    }

    private static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public void serve(WebhookContext context) throws Exception {
        context.serve(this, context::publish);
    }

    @Override
    public LocalWebhookServer address(@Nullable String value) {
        return changed(copy -> copy.address = value);
    }

    @Override
    public LocalWebhookServer port(int value) {
        return changed(copy -> copy.port = value);
    }

    @Override
    public LocalWebhookServer path(String value) {
        return changed(copy -> copy.path = WebhookPath.normalized(value));
    }

    @Override
    public LocalWebhookServer host(@Nullable String value) {
        return changed(copy -> copy.host = value);
    }

    @Override
    public LocalWebhookServer extraHosts(String... values) {
        return changed(copy -> copy.extraHosts = List.of(values));
    }

    @Override
    public LocalWebhookServer service(String namespace, String name, int servicePort) {
        return changed(
                copy -> copy.service = new WebhookClientConfigs.ByService(namespace, name, servicePort, "", null));
    }

    @Override
    public LocalWebhookServer insecure() {
        return changed(copy -> copy.insecure = true);
    }

    @Override
    public LocalWebhookServer certificate(Path certificate, Path key) {
        return changed(copy -> {
            copy.certificateFile = HomePath.resolved(certificate);
            copy.keyFile = HomePath.resolved(key);
        });
    }

    @Override
    public LocalWebhookServer password(@Nullable String value) {
        return changed(copy -> copy.password = value);
    }

    @Override
    public LocalWebhookServer ca(Path file) {
        return changed(copy -> {
            copy.caFile = HomePath.resolved(file);
            copy.caPem = null;
        });
    }

    @Override
    public LocalWebhookServer ca(String pem) {
        return changed(copy -> {
            copy.caFile = null;
            copy.caPem = pem;
        });
    }

    @Override
    public LocalWebhookServer caDump(Path file) {
        return changed(copy -> copy.caDump = HomePath.resolved(file));
    }

    @Override
    public LocalWebhookServer clientCertificates(ClientVerification value) {
        return changed(copy -> copy.clientCertificates = value);
    }

    @Override
    public LocalWebhookServer clientCa(Path... filesOrFolders) {
        return changed(copy -> copy.clientCas =
                Arrays.stream(filesOrFolders).map(HomePath::resolved).toList());
    }

    @Override
    public LocalWebhookServer sslContext(@Nullable SSLContext value) {
        return changed(copy -> copy.sslContext = value);
    }

    @Override
    public LocalWebhookServer fileCheckInterval(Duration value) {
        return changed(copy -> copy.fileCheckInterval = value);
    }

    @Override
    public @Nullable String address() {
        return address;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String host() {
        return host;
    }

    @Override
    public List<String> extraHosts() {
        return extraHosts;
    }

    @Override
    public WebhookClientConfig.@Nullable Service service() {
        return service;
    }

    @Override
    public boolean isInsecure() {
        return insecure;
    }

    @Override
    public @Nullable Path certificateFile() {
        return certificateFile;
    }

    @Override
    public @Nullable Path keyFile() {
        return keyFile;
    }

    @Override
    public @Nullable String password() {
        return password;
    }

    @Override
    public @Nullable Path caFile() {
        return caFile;
    }

    @Override
    public @Nullable String caPem() {
        return caPem;
    }

    @Override
    public @Nullable Path caDump() {
        return caDump;
    }

    @Override
    public ClientVerification clientCertificates() {
        boolean unsaid = clientCertificates == ClientVerification.NONE && !clientCas.isEmpty();
        return unsaid ? ClientVerification.OPTIONAL : clientCertificates;
    }

    @Override
    public List<Path> clientCas() {
        return clientCas;
    }

    @Override
    public @Nullable SSLContext sslContext() {
        return sslContext;
    }

    @Override
    public Duration fileCheckInterval() {
        return fileCheckInterval;
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(
                address,
                port,
                path,
                host,
                extraHosts,
                service,
                insecure,
                certificateFile,
                keyFile,
                password,
                caFile,
                caPem,
                caDump,
                clientCertificates,
                clientCas,
                sslContext,
                fileCheckInterval);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LocalServerOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "LocalWebhookServer[address=" + address + ", port=" + port + ", path=" + path + ", host=" + host
                + ", extraHosts=" + extraHosts + ", service=" + service + ", insecure=" + insecure + ", certificate="
                + certificateFile + ", clientCertificates=" + clientCertificates() + "]";
    }
}
