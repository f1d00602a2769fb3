package dev.kopf4j.webhook;

import dev.kopf4j.text.HomeFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The options of a {@link LocalWebhookServer}. Nobody changes one that was handed out. */
final class LocalServerOptions implements LocalWebhookServer, Cloneable {
    private static final int PORT_MAX = 65_535;
    private static final Duration LONGEST_STOP_DELAY = Duration.ofMinutes(10);

    /** Endpoints that are told to be not ready are out of all proxies within a second or two, usually. */
    private static final Duration SERVICE_STOP_DELAY = Duration.ofSeconds(5);

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
    private @Nullable WebhookAuthority authority;
    private @Nullable SecretName certificateSecret;
    private @Nullable Path certificateFolder;
    private @Nullable SecretName caInjectedFrom;
    private @Nullable Duration stopDelay;
    private Duration fileCheckInterval = Duration.ofMinutes(1);

    LocalServerOptions() {}

    private LocalServerOptions changed(Consumer<LocalServerOptions> change) {
        LocalServerOptions copy;
        try {
            copy = (LocalServerOptions) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
        change.accept(copy);
        copy.check();
        return copy;
    }

    private void check() {
        refuse(port < 0 || port > PORT_MAX, "the port of a webhook server is 0 to 65535, not " + port);
        refuse(
                fileCheckInterval.isNegative() || fileCheckInterval.isZero(),
                "the files of a webhook server are looked at in intervals longer than zero, not " + fileCheckInterval);
        List<String> sources = sources();
        refuse(
                insecure && !sources.isEmpty(),
                "a webhook server that is insecure() has no use for " + String.join(" or ", sources)
                        + ": leave one of them out");
        refuse(
                sources.size() > 1,
                "a webhook server takes its certificate from one place, not from "
                        + String.join(" and from ", sources));
        refuse(
                stopDelay != null && (stopDelay.isNegative() || stopDelay.compareTo(LONGEST_STOP_DELAY) > 0),
                "a webhook server goes on for 0 to 600 seconds when it is stopped, not for " + stopDelay);
        if (authority instanceof SecretAuthority chosen) {
            chosen.checkTogether();
        }
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>();
        addUnlessNull(sources, sslContext, "sslContext(...)");
        addUnlessNull(sources, certificateFile, "certificate(...)");
        addUnlessNull(sources, certificateFolder, "certificateFolder(...)");
        addUnlessNull(sources, certificateSecret, "certificateSecret(...)");
        addUnlessNull(sources, authority, "authority(...)");
        return sources;
    }

    private static void addUnlessNull(List<String> sources, @Nullable Object value, String name) {
        if (value != null) {
            sources.add(name);
        }
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

    /** The path with a slash at its beginning and none at its end; empty for the root. */
    static String normalized(String path) {
        String front = path;
        while (front.endsWith("/")) {
            front = front.substring(0, front.length() - 1);
        }
        return front.isEmpty() || front.startsWith("/") ? front : "/" + front;
    }

    @Override
    public LocalWebhookServer path(String value) {
        return changed(copy -> copy.path = normalized(value));
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
        return changed(copy ->
                copy.service = new WebhookClientConfigs.ByService(namespace, name, servicePort, "", null, null));
    }

    @Override
    public LocalWebhookServer insecure() {
        return changed(copy -> copy.insecure = true);
    }

    @Override
    public LocalWebhookServer certificate(Path certificate, Path key) {
        return changed(copy -> {
            copy.certificateFile = HomeFolder.resolved(certificate);
            copy.keyFile = HomeFolder.resolved(key);
        });
    }

    @Override
    public LocalWebhookServer password(@Nullable String value) {
        return changed(copy -> copy.password = value);
    }

    @Override
    public LocalWebhookServer ca(Path file) {
        return changed(copy -> {
            copy.caFile = HomeFolder.resolved(file);
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
        return changed(copy -> copy.caDump = HomeFolder.resolved(file));
    }

    @Override
    public LocalWebhookServer clientCertificates(ClientVerification value) {
        return changed(copy -> copy.clientCertificates = value);
    }

    @Override
    public LocalWebhookServer clientCa(Path... filesOrFolders) {
        return changed(copy -> copy.clientCas =
                Arrays.stream(filesOrFolders).map(HomeFolder::resolved).toList());
    }

    @Override
    public LocalWebhookServer sslContext(@Nullable SSLContext value) {
        return changed(copy -> copy.sslContext = value);
    }

    @Override
    public LocalWebhookServer authority(@Nullable WebhookAuthority value) {
        return changed(copy -> copy.authority = value);
    }

    @Override
    public LocalWebhookServer certificateSecret(String namespace, String name) {
        return changed(copy -> copy.certificateSecret = new NamedSecret(namespace, name));
    }

    @Override
    public LocalWebhookServer certificateFolder(Path folder) {
        return changed(copy -> copy.certificateFolder = HomeFolder.resolved(folder));
    }

    @Override
    public LocalWebhookServer caInjectedFrom(String namespace, String certificate) {
        return changed(copy -> copy.caInjectedFrom = new NamedSecret(namespace, certificate));
    }

    @Override
    public LocalWebhookServer stopDelay(Duration value) {
        return changed(copy -> copy.stopDelay = value);
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
    public @Nullable WebhookAuthority authority() {
        return authority;
    }

    @Override
    public @Nullable SecretName certificateSecret() {
        return certificateSecret;
    }

    @Override
    public @Nullable Path certificateFolder() {
        return certificateFolder;
    }

    @Override
    public @Nullable String caInjectedFrom() {
        return caInjectedFrom == null ? null : caInjectedFrom.toString();
    }

    @Override
    public Duration stopDelay() {
        return stopDelay != null ? stopDelay : service == null ? Duration.ZERO : SERVICE_STOP_DELAY;
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
                authority,
                certificateSecret,
                certificateFolder,
                caInjectedFrom,
                stopDelay,
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
                + certificateFile + ", certificateSecret=" + certificateSecret + ", certificateFolder="
                + certificateFolder
                + ", authority=" + authority + ", clientCertificates=" + clientCertificates() + "]";
    }
}
