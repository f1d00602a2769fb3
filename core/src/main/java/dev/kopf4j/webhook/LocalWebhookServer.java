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

    /**
     * Writes the authorities that clients have to trust to this file, in PEM, at the start and when they change. The
     * operator ends if that is impossible at the start; later it tries again.
     */
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

    /**
     * Shows certificates of its own, signed by an authority that all replicas share: for several replicas behind one
     * Service. Null, the default, for a self-signed certificate.
     *
     * <p>The operator needs the rights {@code get}, {@code create} and {@code update} on that Secret. While it may not,
     * or the Secret holds something else, the webhooks are not served; the log and the readiness say why. A server that
     * has a certificate already goes on with it.
     */
    LocalWebhookServer authority(@Nullable WebhookAuthority value);

    /**
     * Shows the certificate in a Secret: {@code tls.crt} and {@code tls.key}, and {@code ca.crt} for the authorities to
     * trust, as cert-manager keeps them. When they change, new connections get the new one. The operator needs the
     * right {@code get} on that Secret; while it may not, or the Secret is not there, the webhooks are not served.
     */
    LocalWebhookServer certificateSecret(String namespace, String name);

    /**
     * Shows the certificate in a folder: {@code tls.crt} and {@code tls.key}, and {@code ca.crt} for the authorities to
     * trust if there is such a file. For a Secret that is mounted into the container.
     */
    LocalWebhookServer certificateFolder(Path folder);

    /**
     * Leaves it to cert-manager to tell the API server whom to trust: managed configurations get its annotation
     * {@code cert-manager.io/inject-ca-from}, and their {@code caBundle} stays as cert-manager writes it. Whoever
     * writes configurations by hand has to do the same.
     *
     * @param namespace of the Certificate
     * @param certificate the name of the Certificate (not of its Secret)
     */
    LocalWebhookServer caInjectedFrom(String namespace, String certificate);

    /**
     * How long the server goes on answering when the operator stops: until then the API server, which has to hear that
     * this replica is not ready any more, may call it. 0 to 600 seconds; 5 by default if it is reached by a Service, 0
     * if it is not. Then requests that have come are answered, and the server ends.
     */
    LocalWebhookServer stopDelay(Duration value);

    /** How often files and Secrets are looked at for changes; a minute by default. */
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

    /** The authority that signs its certificates. */
    @Nullable WebhookAuthority authority();

    /** The Secret with its certificate. */
    @Nullable SecretName certificateSecret();

    /** The folder with its certificate. */
    @Nullable Path certificateFolder();

    /** The Certificate of cert-manager whose authority it has, as {@code namespace/name}. */
    @Nullable String caInjectedFrom();

    /** How long it goes on when the operator stops. */
    Duration stopDelay();

    /** How often files and Secrets are looked at. */
    Duration fileCheckInterval();
}
