package dev.kopf4j.webhook;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A server for webhooks in the operator's own process: HTTPS with a self-signed certificate, unless something else is
 * said. Made by {@link WebhookServer#local}. Immutable: each method returns a changed copy. Paths may begin with
 * {@code ~}. The text form shows no secrets.
 *
 * <p>Mistakes in one value, or in values that contradict each other, are an {@link IllegalArgumentException} at once;
 * files that cannot be used are an error when the operator starts.
 */
public sealed interface LocalWebhookServer extends WebhookServer permits LocalServerOptions {
    /** Listens at an address of this machine, a name or an IP address; null for all interfaces, the default. */
    LocalWebhookServer address(@Nullable String value);

    /** Listens at a port; 0 for any free one, the default. */
    LocalWebhookServer port(int value);

    /** Listens below a path, such as {@code /hooks}; the root by default. */
    LocalWebhookServer path(String value);

    /**
     * Is reached by this host: what the API server connects to. Null, the default, for the address, which is
     * {@code localhost} for all interfaces.
     */
    LocalWebhookServer host(@Nullable String value);

    /** Is known by further names: the self-signed certificate has them, too. */
    LocalWebhookServer extraHosts(String... values);

    /**
     * Is reached by a Service inside the cluster, not by a URL; the self-signed certificate has the names
     * {@code name.namespace.svc} and {@code name.namespace.svc.cluster.local}.
     *
     * @param port the Service's port, not that of this server; usually 443
     */
    LocalWebhookServer service(String namespace, String name, int port);

    /** Speaks plain HTTP: for tunnels and proxies that add TLS. The API server itself calls HTTPS only. */
    LocalWebhookServer insecure();

    /**
     * Shows this certificate, not a self-signed one. When the files change, new connections get the new one.
     *
     * @param certificateFile the certificate in PEM, followed by those of its issuers
     * @param keyFile its key in PEM
     */
    LocalWebhookServer certificate(Path certificateFile, Path keyFile);

    /** Opens the key with this password; null, the default, if it is not encrypted. */
    LocalWebhookServer password(@Nullable String value);

    /** Tells the API server to trust the authorities of this PEM file; by default those in the certificate's file. */
    LocalWebhookServer ca(Path file);

    /** Tells the API server to trust these authorities, in PEM; by default those in the certificate's file. */
    LocalWebhookServer ca(String pem);

    /** Writes the authorities that clients have to trust to this file, in PEM, at the start and when they change. */
    LocalWebhookServer caDump(Path file);

    /** Whether clients show certificates; {@link ClientVerification#NONE} by default. */
    LocalWebhookServer clientCertificates(ClientVerification value);

    /**
     * Believes certificates of clients that these authorities have signed: PEM files, or folders of such. By default
     * those of the JDK. Clients are verified at least optionally then.
     */
    LocalWebhookServer clientCa(Path... filesOrFolders);

    /** Takes keys and trust from this context; certificates are its owner's business then, their renewal included. */
    LocalWebhookServer sslContext(@Nullable SSLContext value);

    /** How often the files are looked at for changes; a minute by default. */
    LocalWebhookServer fileCheckInterval(Duration value);

    /** Where it listens; null for all interfaces. */
    @Nullable String address();

    /** The port; 0 for any free one. */
    int port();

    /** The path; empty for the root, otherwise with a slash at its beginning and none at its end. */
    String path();

    /** What the API server connects to; null for the address. */
    @Nullable String host();

    /** Further names. */
    List<String> extraHosts();

    /** The Service; null for a URL. */
    WebhookClientConfig.@Nullable Service service();

    /** Whether it speaks plain HTTP. */
    boolean isInsecure();

    /** The certificate; null for a self-signed one. */
    @Nullable Path certificateFile();

    /** The key; null for that of a self-signed certificate. */
    @Nullable Path keyFile();

    /** What opens the key. */
    @Nullable String password();

    /** The file of the authorities to trust. */
    @Nullable Path caFile();

    /** The authorities to trust. */
    @Nullable String caPem();

    /** Where the authorities are written. */
    @Nullable Path caDump();

    /** Whether clients show certificates. */
    ClientVerification clientCertificates();

    /** The authorities of clients. */
    List<Path> clientCas();

    /** The context that somebody else has made. */
    @Nullable SSLContext sslContext();

    /** How often files are looked at. */
    Duration fileCheckInterval();
}
