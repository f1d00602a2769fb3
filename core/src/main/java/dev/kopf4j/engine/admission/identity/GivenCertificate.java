package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.engine.admission.authority.Secrets;
import dev.kopf4j.engine.admission.authority.Secrets.SecretUnavailableException;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.SecretName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Certificates that somebody else has made: in two files, in a mounted folder, or in a Secret. What the options say of
 * authorities goes before what stands beside the certificate. Pure, but for the reading.
 */
final class GivenCertificate {
    /** The kubelet changes all files at one moment: by this link, behind which is a folder for each state. */
    private static final String CURRENT = "..data";

    private GivenCertificate() {}

    /** A certificate in two files. */
    static CertificateSource inFiles(LocalWebhookServer options, Path certificate, Path key) {
        return () -> read(options, certificate, key, null);
    }

    /** A certificate in a folder, as which a Secret of the type {@code kubernetes.io/tls} is mounted. */
    static CertificateSource inFolder(LocalWebhookServer options, Path folder) {
        return () -> {
            Path current = current(folder);
            Path authorities = current.resolve("ca.crt");
            return read(
                    options,
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

    private static CertificateSource.Certificate read(
            LocalWebhookServer options, Path certificate, Path key, @Nullable Path authorities) {
        String given = PemFiles.authorities(options);
        try {
            return parsed(
                    PemFiles.text("certificate", certificate),
                    PemFiles.text("key", key),
                    options.password(),
                    given == null && authorities != null ? PemFiles.text("certificate authority", authorities) : given,
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
                return parsed(
                        certificate,
                        key,
                        options.password(),
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
     * @param password opens the key; null for none
     * @param authorities those to be trusted as PEM; null for those in the text of the certificate
     * @param places where the key and the certificate are, for the message if they do not fit
     */
    private static CertificateSource.Certificate parsed(
            String certificate, String key, @Nullable String password, @Nullable String authorities, String places)
            throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = PemReader.certificates("certificate", certificate);
        PrivateKey privateKey = PemReader.privateKey("key", key, password);
        if (!ServerTls.belongTogether(chain.getFirst(), privateKey)) {
            throw new IllegalArgumentException(places);
        }
        return new CertificateSource.Certificate(
                chain, privateKey, Objects.requireNonNullElse(authorities, certificate));
    }

    /**
     * Reads the files that a server's identity is made of. All methods throw {@link OperatorException} if one cannot
     * be.
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
