package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.engine.admission.identity.Secrets.SecretUnavailableException;
import dev.kopf4j.engine.admission.identity.ServerIdentity.CertificateSource;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.SecretName;
import dev.kopf4j.webhook.WebhookAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes the identity of a server, and a new one when what it is made of has changed. Confined to a task. */
public final class ServerIdentities {
    /** One look may fail. */
    private static final int LOOKS_MIN = 3;

    private final LocalWebhookServer options;
    private final CertificateSource source;
    private ServerIdentity.@Nullable Parts known;

    public ServerIdentities(Platform platform, Secrets secrets, LocalWebhookServer options) {
        this.options = options;
        this.source = source(platform, secrets, options);
    }

    private static CertificateSource source(Platform platform, Secrets secrets, LocalWebhookServer options) {
        WebhookAuthority authority = options.authority();
        if (authority != null) {
            check(authority, options);
            return new SharedAuthorityCertificate(
                    platform,
                    new SharedAuthority(platform, secrets, authority),
                    options,
                    authority.certificatesValidFor());
        }
        if (options.certificateSecret() != null) {
            return GivenCertificate.inSecret(options, secrets, Objects.requireNonNull(options.certificateSecret()));
        }
        if (options.certificateFolder() != null) {
            return GivenCertificate.inFolder(options, Objects.requireNonNull(options.certificateFolder()));
        }
        if (options.certificateFile() != null && options.keyFile() != null) {
            return GivenCertificate.inFiles(
                    options,
                    Objects.requireNonNull(options.certificateFile()),
                    Objects.requireNonNull(options.keyFile()));
        }
        return new OwnCertificate(platform, options);
    }

    private static void check(WebhookAuthority authority, LocalWebhookServer options) {
        if (authority.announcedFor().compareTo(options.fileCheckInterval().multipliedBy(LOOKS_MIN)) < 0) {
            throw new OperatorException("The next authority of the webhooks is announced for "
                    + authority.announcedFor() + ", but replicas look for it once in " + options.fileCheckInterval()
                    + ": make announcedFor(...) longer, or fileCheckInterval(...) shorter.");
        }
    }

    /**
     * The identity as it is now.
     *
     * @throws OperatorException if a file cannot be used
     * @throws SecretUnavailableException if a Secret cannot be used
     */
    public ServerIdentity current() throws InterruptedException {
        return made(parts());
    }

    /**
     * A new identity; empty if nothing has changed.
     *
     * @throws OperatorException if a file has changed and cannot be used; asked again, it tries again
     * @throws SecretUnavailableException the same of a Secret
     */
    public Optional<ServerIdentity> renewed() throws InterruptedException {
        ServerIdentity.Parts now = parts();
        return now.equals(known) ? Optional.empty() : Optional.of(made(now));
    }

    private ServerIdentity.Parts parts() throws InterruptedException {
        String clients = GivenCertificate.PemFiles.clientAuthorities(options);
        SSLContext given = options.sslContext();
        return given == null
                ? ServerIdentity.Parts.of(source.current(), clients)
                : ServerIdentity.Parts.given(given, GivenCertificate.PemFiles.authorities(options), clients);
    }

    private ServerIdentity made(ServerIdentity.Parts parts) {
        try {
            ServerIdentity identity = parts.identity();
            known = parts;
            return identity;
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new OperatorException(
                    "The certificate of the webhook server cannot be used: " + e.getMessage()
                            + ". Check what is given by certificate(...), ca(...) and clientCa(...).",
                    e);
        }
    }

    /** True for what was made while the clock was ahead: clients refuse it until its time has come. */
    static boolean isEarly(X509Certificate certificate, Instant now) {
        return now.isBefore(certificate.getNotBefore().toInstant());
    }

    /** A self-signed certificate of this process alone, replaced before it ends. */
    private static final class OwnCertificate implements CertificateSource {
        private static final Duration VALIDITY = Duration.ofDays(365);

        /** How long before its end it is replaced. */
        private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

        private final Platform platform;
        private final LocalWebhookServer options;
        private CertificateAuthority.@Nullable Issued known;

        OwnCertificate(Platform platform, LocalWebhookServer options) {
            this.platform = platform;
            this.options = options;
        }

        @Override
        public Certificate current() {
            CertificateAuthority.Issued own = known;
            if (own == null || isEnding(own) || isEarly(own.certificate(), platform.now())) {
                own = CertificateAuthority.selfSigned(
                        ServerNames.of(WebhookAddress.names(options)), platform.now(), VALIDITY);
                known = own;
            }
            return new Certificate(List.of(own.certificate()), own.key(), own.certificatePem());
        }

        private boolean isEnding(CertificateAuthority.Issued certificate) {
            Instant end = certificate.certificate().getNotAfter().toInstant();
            return platform.now().isAfter(end.minus(RENEWED_BEFORE));
        }
    }

    /** A certificate of this process alone, signed by the authority of all replicas, replaced before it ends. */
    private static final class SharedAuthorityCertificate implements CertificateSource {
        private static final int PARTS = 3;

        private final Platform platform;
        private final SharedAuthority authority;
        private final ServerNames names;
        private final Duration validity;
        private @Nullable AuthorityState last;
        private @Nullable CertificateAuthority signer;
        private CertificateAuthority.@Nullable Issued issued;

        SharedAuthorityCertificate(
                Platform platform, SharedAuthority authority, LocalWebhookServer options, Duration validity) {
            this.platform = platform;
            this.authority = authority;
            this.names = ServerNames.of(WebhookAddress.names(options));
            this.validity = validity;
        }

        @Override
        public Certificate current() throws InterruptedException {
            AuthorityState state = state();
            CertificateAuthority.Issued own = issued;
            if (own == null || !state.signing().equals(signer) || isDue(own, state.signing())) {
                own = state.signing().issue(names, platform.now(), validity);
                issued = own;
                signer = state.signing();
            }
            return new Certificate(List.of(own.certificate()), own.key(), state.bundle());
        }

        /** Who cannot read the Secret signs with what was there last, before the certificate ends. */
        private AuthorityState state() throws InterruptedException {
            try {
                AuthorityState state = authority.current();
                last = state;
                return state;
            } catch (SecretUnavailableException e) {
                AuthorityState known = last;
                if (known == null || issued == null || !isDue(issued, known.signing())) {
                    throw e;
                }
                return known;
            }
        }

        /** It is early, or a third is left; but nothing is won by one that ends no later. */
        private boolean isDue(CertificateAuthority.Issued certificate, CertificateAuthority by) {
            if (isEarly(certificate.certificate(), platform.now())) {
                return true;
            }
            Instant end = certificate.certificate().getNotAfter().toInstant();
            boolean isLate = !platform.now().isBefore(end.minus(validity.dividedBy(PARTS)));
            return isLate && end.isBefore(by.end());
        }
    }

    /**
     * Certificates that somebody else has made: in two files, in a mounted folder, or in a Secret. What the options say
     * of authorities goes before what stands beside the certificate. Texts that are the same as before are not read
     * anew, since a key with a password takes long to open, and is looked at for years. Confined to a task.
     */
    private static final class GivenCertificate {
        /** The kubelet changes all files at one moment: by this link, behind which is a folder for each state. */
        private static final String CURRENT = "..data";

        private final LocalWebhookServer options;
        private List<Optional<String>> knownTexts = List.of();
        private CertificateSource.@Nullable Certificate known;

        private GivenCertificate(LocalWebhookServer options) {
            this.options = options;
        }

        /** A certificate in two files. */
        static CertificateSource inFiles(LocalWebhookServer options, Path certificate, Path key) {
            GivenCertificate given = new GivenCertificate(options);
            return () -> given.read(certificate, key, null);
        }

        /** A certificate in a folder, as which a Secret of the type {@code kubernetes.io/tls} is mounted. */
        static CertificateSource inFolder(LocalWebhookServer options, Path folder) {
            GivenCertificate files = new GivenCertificate(options);
            return () -> {
                Path current = current(folder);
                Path authorities = current.resolve("ca.crt");
                return files.read(
                        current.resolve("tls.crt"),
                        current.resolve("tls.key"),
                        Files.exists(authorities) ? authorities : null);
            };
        }

        /** Where the files of one state of the Secret are. */
        private static Path current(Path folder) {
            Path link = folder.resolve(CURRENT);
            try {
                return Files.exists(link) ? link.toRealPath() : folder;
            } catch (IOException e) {
                throw PemFiles.unreadable("certificate", link, e);
            }
        }

        private CertificateSource.Certificate read(Path certificate, Path key, @Nullable Path authorities) {
            String given = PemFiles.authorities(options);
            try {
                return parsed(
                        PemFiles.text("certificate", certificate),
                        PemFiles.text("key", key),
                        given == null && authorities != null
                                ? PemFiles.text("certificate authority", authorities)
                                : given,
                        "the key " + key + " is not that of the certificate " + certificate);
            } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
                throw new OperatorException(
                        "The certificate of the webhook server cannot be used: " + e.getMessage()
                                + ". Check the files that are given by certificate(...) or certificateFolder(...), and ca(...).",
                        e);
            }
        }

        /** A certificate that somebody else keeps in a Secret, as cert-manager does. */
        static CertificateSource inSecret(LocalWebhookServer options, Secrets secrets, SecretName name) {
            GivenCertificate texts = new GivenCertificate(options);
            return () -> {
                String given = PemFiles.authorities(options);
                try {
                    ObjectNode secret = secrets.read(name)
                            .orElseThrow(() -> new SecretUnavailableException(
                                    name,
                                    "is not there",
                                    "Create it, or wait for who makes it, such as cert-manager.",
                                    null));
                    String certificate = required(secret, name, "tls.crt");
                    String key = required(secret, name, "tls.key");
                    String beside = Secrets.text(secret, "ca.crt").orElse(null);
                    return texts.parsed(
                            certificate,
                            key,
                            given == null ? beside : given,
                            "the key in tls.key is not that of the certificate in tls.crt");
                } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
                    throw new SecretUnavailableException(
                            name, "holds no certificate: " + e.getMessage(), "Correct it, or let its maker do so.", e);
                }
            };
        }

        private static String required(ObjectNode secret, SecretName name, String key) {
            return Secrets.text(secret, key)
                    .orElseThrow(() -> new SecretUnavailableException(
                            name, "has no value of the key " + key, "Add it, or wait for who fills it in.", null));
        }

        /**
         * The certificate in some texts.
         *
         * @param authorities those to be trusted as PEM; null for those in the text of the certificate
         * @param places where the key and the certificate are, for the message if they do not fit
         */
        private CertificateSource.Certificate parsed(
                String certificate, String key, @Nullable String authorities, String places)
                throws GeneralSecurityException, IOException {
            List<Optional<String>> texts =
                    List.of(Optional.of(certificate), Optional.of(key), Optional.ofNullable(authorities));
            CertificateSource.Certificate before = known;
            if (before != null && texts.equals(knownTexts)) {
                return before;
            }
            List<X509Certificate> chain = PemReader.certificates("certificate", certificate);
            PrivateKey privateKey = PemReader.privateKey("key", key, options.password());
            if (!ServerTls.belongTogether(chain.getFirst(), privateKey)) {
                throw new IllegalArgumentException(places);
            }
            CertificateSource.Certificate parsed = new CertificateSource.Certificate(
                    chain, privateKey, Objects.requireNonNullElse(authorities, certificate));
            known = parsed;
            knownTexts = texts;
            return parsed;
        }

        /**
         * Reads the files that a server's identity is made of. All methods throw {@link OperatorException} if one
         * cannot be.
         */
        static final class PemFiles {
            private PemFiles() {}

            static String text(String what, Path file) {
                try {
                    return Files.readString(file, StandardCharsets.ISO_8859_1);
                } catch (IOException e) {
                    throw unreadable(what, file, e);
                }
            }

            /** The authorities that clients are told to trust; null if none are given. */
            static @Nullable String authorities(LocalWebhookServer options) {
                Path file = options.caFile();
                return file == null ? options.caPem() : text("certificate authority", file);
            }

            /** The authorities of clients, one after the other; empty if there are none. */
            static String clientAuthorities(LocalWebhookServer options) {
                return options.clientCas().stream()
                        .flatMap(PemFiles::filesAt)
                        .map(file -> text("client authority", file))
                        .collect(Collectors.joining("\n"));
            }

            private static Stream<Path> filesAt(Path place) {
                if (!Files.isDirectory(place)) {
                    return Stream.of(place);
                }
                try (Stream<Path> files = Files.list(place)) {
                    List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
                    return all.stream();
                } catch (IOException e) {
                    throw unreadable("client authorities", place, e);
                }
            }

            static OperatorException unreadable(String what, Path file, IOException e) {
                return new OperatorException(
                        "The " + what + " of the webhook server cannot be read: " + file + ": "
                                + FileProblem.describe(file, e),
                        e);
            }
        }
    }
}
