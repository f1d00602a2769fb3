package dev.kopf4j;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an API server, and who we are there: what a login gives.
 *
 * <p>A credential is sent as given: basic authentication if there are a username and a password, else {@code scheme
 * token}, the scheme alone, or {@code Bearer token}. A client certificate is used if there are both a certificate and a
 * key. Paths may begin with {@code ~}. Data is PEM text, or PEM in base64 as in a kubeconfig. Text forms never show
 * secrets. Immutable; see {@link #builder}.
 *
 * @param server the URL of the API server, without a trailing slash
 * @param caPath a PEM file of the authorities to trust; null for the data, or the system's
 * @param caData the authorities to trust; null for the file, or the system's
 * @param insecure whether any certificate of the server is accepted
 * @param username for basic authentication
 * @param password for basic authentication
 * @param scheme what precedes the token in the header; null for {@code Bearer}
 * @param token the token; with a {@code tokenPath}, the one that was read at login
 * @param tokenPath a file whose token is read anew every minute; wins over {@code token} while it is readable
 * @param certificatePath a PEM file with the client certificate
 * @param certificateData the client certificate
 * @param privateKeyPath a PEM file with the client's key: RSA or EC, PKCS #1, SEC 1 or PKCS #8
 * @param privateKeyData the client's key
 * @param defaultNamespace where events of cluster-scoped objects go; null for {@code default}
 * @param proxyUrl an HTTP proxy to go through; null for none, or for the environment's
 * @param trustEnv whether {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} are honoured
 * @param tlsServerName the name in the server's certificate, if it is not the one in the URL
 * @param priority which credential is taken if there are several: the highest
 * @param expiration when it stops being valid; null for never
 */
public record ConnectionInfo(
        String server,
        @Nullable String caPath,
        @Nullable String caData,
        boolean insecure,
        @Nullable String username,
        @Nullable String password,
        @Nullable String scheme,
        @Nullable String token,
        @Nullable String tokenPath,
        @Nullable String certificatePath,
        @Nullable String certificateData,
        @Nullable String privateKeyPath,
        @Nullable String privateKeyData,
        @Nullable String defaultNamespace,
        @Nullable String proxyUrl,
        boolean trustEnv,
        @Nullable String tlsServerName,
        int priority,
        @Nullable Instant expiration) {

    /**
     * Checks what contradicts itself, and resolves {@code ~} in the paths.
     *
     * @throws IllegalArgumentException if the server is not a URL, or something is given both as a path and as data
     */
    public ConnectionInfo {
        server = withoutTrailingSlash(server);
        requireOne("the certificate authority", caPath, caData);
        requireOne("the client certificate", certificatePath, certificateData);
        requireOne("the client's private key", privateKeyPath, privateKeyData);
        caPath = withoutTilde(caPath);
        tokenPath = withoutTilde(tokenPath);
        certificatePath = withoutTilde(certificatePath);
        privateKeyPath = withoutTilde(privateKeyPath);
    }

    /** Starts a description of how to reach this server, such as {@code https://127.0.0.1:6443}. */
    public static Builder builder(String server) {
        return new Builder(server);
    }

    /** The same with another priority. */
    public ConnectionInfo withPriority(int other) {
        return new ConnectionInfo(
                server,
                caPath,
                caData,
                insecure,
                username,
                password,
                scheme,
                token,
                tokenPath,
                certificatePath,
                certificateData,
                privateKeyPath,
                privateKeyData,
                defaultNamespace,
                proxyUrl,
                trustEnv,
                tlsServerName,
                other,
                expiration);
    }

    private static String withoutTrailingSlash(String server) {
        URI uri = URI.create(server);
        boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
        if (!web || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "the server must be a URL with https or http and a host, but is '" + server + "'");
        }
        return server.replaceAll("/+$", "");
    }

    private static void requireOne(String what, @Nullable String path, @Nullable String data) {
        if (path != null && data != null) {
            throw new IllegalArgumentException(
                    what + " is given both as a path (" + path + ") and as data; remove one of the two");
        }
    }

    private static @Nullable String withoutTilde(@Nullable String path) {
        if (path == null || !(path.equals("~") || path.startsWith("~/"))) {
            return path;
        }
        return Path.of(System.getProperty("user.home") + path.substring(1)).toString();
    }

    /** Everything but the secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("ConnectionInfo[server=").append(server);
        show(text, "username", username);
        show(text, "scheme", scheme);
        show(text, "tokenPath", tokenPath);
        show(text, "certificatePath", certificatePath);
        show(text, "defaultNamespace", defaultNamespace);
        show(text, "expiration", expiration);
        show(text, "password", password == null ? null : "***");
        show(text, "token", token == null ? null : "***");
        show(text, "privateKey", privateKeyPath == null && privateKeyData == null ? null : "***");
        return text.append(", insecure=")
                .append(insecure)
                .append(", priority=")
                .append(priority)
                .append(']')
                .toString();
    }

    private static void show(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(", ").append(name).append('=').append(value);
        }
    }

    /** Collects the parts of a {@link ConnectionInfo}. Not thread-safe. */
    public static final class Builder {
        private final String server;
        private @Nullable String caPath;
        private @Nullable String caData;
        private boolean insecure;
        private @Nullable String username;
        private @Nullable String password;
        private @Nullable String scheme;
        private @Nullable String token;
        private @Nullable String tokenPath;
        private @Nullable String certificatePath;
        private @Nullable String certificateData;
        private @Nullable String privateKeyPath;
        private @Nullable String privateKeyData;
        private @Nullable String defaultNamespace;
        private @Nullable String proxyUrl;
        private boolean trustEnv;
        private @Nullable String tlsServerName;
        private int priority;
        private @Nullable Instant expiration;

        private Builder(String server) {
            this.server = server;
        }

        /** A PEM file of the authorities to trust. */
        public Builder caPath(@Nullable String value) {
            caPath = value;
            return this;
        }

        /** The authorities to trust, as PEM or base64 of PEM. */
        public Builder caData(@Nullable String value) {
            caData = value;
            return this;
        }

        /** Whether any certificate of the server is accepted. */
        public Builder insecure(boolean value) {
            insecure = value;
            return this;
        }

        /** The user for basic authentication. */
        public Builder username(@Nullable String value) {
            username = value;
            return this;
        }

        /** The password for basic authentication. */
        public Builder password(@Nullable String value) {
            password = value;
            return this;
        }

        /** What precedes the token; {@code Bearer} by default. */
        public Builder scheme(@Nullable String value) {
            scheme = value;
            return this;
        }

        /** The token. */
        public Builder token(@Nullable String value) {
            token = value;
            return this;
        }

        /** A file whose token is read anew every minute. */
        public Builder tokenPath(@Nullable String value) {
            tokenPath = value;
            return this;
        }

        /** A PEM file with the client certificate. */
        public Builder certificatePath(@Nullable String value) {
            certificatePath = value;
            return this;
        }

        /** The client certificate, as PEM or base64 of PEM. */
        public Builder certificateData(@Nullable String value) {
            certificateData = value;
            return this;
        }

        /** A PEM file with the client's key. */
        public Builder privateKeyPath(@Nullable String value) {
            privateKeyPath = value;
            return this;
        }

        /** The client's key, as PEM or base64 of PEM. */
        public Builder privateKeyData(@Nullable String value) {
            privateKeyData = value;
            return this;
        }

        /** Where events of cluster-scoped objects go. */
        public Builder defaultNamespace(@Nullable String value) {
            defaultNamespace = value;
            return this;
        }

        /** An HTTP proxy to go through. */
        public Builder proxyUrl(@Nullable String value) {
            proxyUrl = value;
            return this;
        }

        /** Whether the proxies of the environment are honoured. */
        public Builder trustEnv(boolean value) {
            trustEnv = value;
            return this;
        }

        /** The name in the server's certificate, if it is not the one in the URL. */
        public Builder tlsServerName(@Nullable String value) {
            tlsServerName = value;
            return this;
        }

        /** Which credential is taken if there are several: the highest. */
        public Builder priority(int value) {
            priority = value;
            return this;
        }

        /** When it stops being valid. */
        public Builder expiration(@Nullable Instant value) {
            expiration = value;
            return this;
        }

        /** The finished description; throws {@link IllegalArgumentException} if it contradicts itself. */
        public ConnectionInfo build() {
            return new ConnectionInfo(
                    server,
                    caPath,
                    caData,
                    insecure,
                    username,
                    password,
                    scheme,
                    token,
                    tokenPath,
                    certificatePath,
                    certificateData,
                    privateKeyPath,
                    privateKeyData,
                    defaultNamespace,
                    proxyUrl,
                    trustEnv,
                    tlsServerName,
                    priority,
                    expiration);
        }
    }
}
