package dev.kopf4j;

import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an API server, and who we are there: what a login gives. Made by {@link #builder}.
 *
 * <p>The {@code Authorization} header is basic authentication if there are a username and a password, else the token
 * with its scheme ({@code Bearer} by default), else the scheme alone. A client certificate is used if there are both a
 * certificate and a key. Paths may begin with {@code ~}. Data is PEM text, or PEM in base64 as in a kubeconfig. The
 * text form shows no secrets. Immutable. Two of them are equal if all their parts are.
 */
public sealed interface ConnectionInfo permits ConnectionData {
    /**
     * Starts a description of how to reach this server, such as {@code https://127.0.0.1:6443}. A user and a password
     * in the URL count if no other ones are given.
     */
    static Builder builder(String server) {
        return new ConnectionBuilder(server);
    }

    /** Starts another description that has all parts of this one, to change some of them. */
    Builder toBuilder();

    /** The same with another priority. */
    ConnectionInfo withPriority(int other);

    /** The URL of the API server, without a trailing slash, and without a user. */
    String server();

    /** A PEM file of the authorities to trust; null for the data, or the system's. */
    @Nullable String caPath();

    /** The authorities to trust; null for the file, or the system's. */
    @Nullable String caData();

    /** Whether any certificate of the server is accepted. */
    boolean insecure();

    /** The user for basic authentication. */
    @Nullable String username();

    /** The password for basic authentication. */
    @Nullable String password();

    /** What precedes the token in the header; null for {@code Bearer}. */
    @Nullable String scheme();

    /** The token; with a {@code tokenPath}, the one that was read at login. */
    @Nullable String token();

    /** A file whose token is read anew every minute; wins over {@code token} while it is readable. */
    @Nullable String tokenPath();

    /** A PEM file with the client certificate. */
    @Nullable String certificatePath();

    /** The client certificate. */
    @Nullable String certificateData();

    /** A PEM file with the client's key: RSA or EC, PKCS #1, SEC 1 or PKCS #8. */
    @Nullable String privateKeyPath();

    /** The client's key. */
    @Nullable String privateKeyData();

    /**
     * Where leases are, and events of cluster-scoped objects where the operator may post none in {@code default}; null
     * for {@code default}.
     */
    @Nullable String defaultNamespace();

    /** An HTTP proxy to go through; null for none, or for the environment's. */
    @Nullable String proxyUrl();

    /**
     * Whether {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} are honoured, and the {@code .netrc} file if
     * there are neither a user nor a token.
     */
    boolean trustEnv();

    /** The name in the server's certificate, if it is not the one in the URL. */
    @Nullable String tlsServerName();

    /** How connections are secured; null for a context that is made of the certificates and keys. */
    @Nullable SSLContext sslContext();

    /** Which credential is taken if there are several: the highest. */
    int priority();

    /** When it stops being valid; null for never. */
    @Nullable Instant expiration();

    /** Collects the parts of a {@link ConnectionInfo}. Not thread-safe. */
    sealed interface Builder permits ConnectionBuilder {
        /** A PEM file of the authorities to trust. */
        Builder caPath(@Nullable String value);

        /** The authorities to trust, as PEM or base64 of PEM. */
        Builder caData(@Nullable String value);

        /** Whether any certificate of the server is accepted. */
        Builder insecure(boolean value);

        /** The user for basic authentication. */
        Builder username(@Nullable String value);

        /** The password for basic authentication. */
        Builder password(@Nullable String value);

        /** What precedes the token; {@code Bearer} by default. */
        Builder scheme(@Nullable String value);

        /** The token. */
        Builder token(@Nullable String value);

        /** A file whose token is read anew every minute. */
        Builder tokenPath(@Nullable String value);

        /** A PEM file with the client certificate. */
        Builder certificatePath(@Nullable String value);

        /** The client certificate, as PEM or base64 of PEM. */
        Builder certificateData(@Nullable String value);

        /** A PEM file with the client's key. */
        Builder privateKeyPath(@Nullable String value);

        /** The client's key, as PEM or base64 of PEM. */
        Builder privateKeyData(@Nullable String value);

        /** Where events of cluster-scoped objects go. */
        Builder defaultNamespace(@Nullable String value);

        /** An HTTP proxy to go through. */
        Builder proxyUrl(@Nullable String value);

        /** Whether the proxies of the environment and the {@code .netrc} file are honoured. */
        Builder trustEnv(boolean value);

        /** The name in the server's certificate, if it is not the one in the URL. */
        Builder tlsServerName(@Nullable String value);

        /**
         * How connections are secured, instead of by certificates, keys, a server name or {@link #insecure} of this
         * description: for keys in hardware, or authorities that are looked up. Give the same context at each login as
         * long as it is the same credential.
         */
        Builder sslContext(@Nullable SSLContext value);

        /** Which credential is taken if there are several: the highest. */
        Builder priority(int value);

        /** When it stops being valid. */
        Builder expiration(@Nullable Instant value);

        /**
         * The finished description. Paths that begin with {@code ~} are resolved.
         *
         * @throws IllegalArgumentException if the server is not a URL, or something is given in two ways
         */
        ConnectionInfo build();
    }
}
