package dev.kopf4j;

import dev.kopf4j.text.HomeFolder;
import dev.kopf4j.text.UrlUser;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The data of a {@link ConnectionInfo}. Immutable. */
record ConnectionData(
        Route route,
        Authorization authorization,
        Tls tls,
        @Nullable String defaultNamespace,
        int priority,
        @Nullable Instant expiration)
        implements ConnectionInfo {

    private static final Pattern SCHEME = Pattern.compile("[a-z]+://");

    /**
     * The way to the server.
     *
     * @param server its URL, without a user, and without a slash at the end
     * @param proxyUrl the proxy to go through; null for none, or for the environment's
     * @param trustEnv whether the environment and the {@code .netrc} file are asked
     */
    record Route(String server, @Nullable String proxyUrl, boolean trustEnv) {
        /** Without the proxy, whose URL may have a password. */
        @Override
        public String toString() {
            return server;
        }
    }

    /** The server as it was given: its URL, and the user in front of its host, if there is one. */
    record Address(String url, @Nullable UrlUser user) {
        /**
         * Reads a URL.
         *
         * @param userIsKnown true if the user is known from elsewhere
         */
        static Address of(String server, boolean userIsKnown) {
            UrlUser user = UrlUser.of(parsed(server, userIsKnown));
            return new Address(withoutUser(server, user).replaceAll("/+$", ""), user);
        }
    }

    /** Who we are to the server, beside a client certificate. */
    record Authorization(
            @Nullable String username,
            @Nullable String password,
            @Nullable String scheme,
            @Nullable String token,
            @Nullable String tokenPath) {
        /** Resolves {@code ~} in the path. */
        Authorization {
            tokenPath = withoutTilde(tokenPath);
        }

        boolean namesUser() {
            return username != null || password != null;
        }

        /** The same, with the user of the URL if it has none of its own. */
        Authorization or(@Nullable UrlUser user) {
            return user == null || namesUser()
                    ? this
                    : new Authorization(user.name(), user.password(), scheme, token, tokenPath);
        }

        /** Without its secrets. */
        @Override
        public String toString() {
            return "Authorization";
        }
    }

    /** How connections are secured. */
    record Tls(
            Pem authority,
            Pem certificate,
            Pem privateKey,
            boolean insecure,
            @Nullable String serverName,
            @Nullable SSLContext context) {
        /** Refuses parts that contradict each other, and resolves {@code ~} in the paths. */
        Tls {
            authority.requireOne("the certificate authority");
            certificate.requireOne("the client certificate");
            privateKey.requireOne("the client's private key");
            if (context != null) {
                if (authority.isGiven() || certificate.isGiven() || privateKey.isGiven() || serverName != null) {
                    throw new IllegalArgumentException(
                            "a TLS context is given, and also certificates, keys or a server name for"
                                    + " another one; remove one of the two");
                }
                if (insecure) {
                    throw new IllegalArgumentException("a TLS context is given, and any certificate of the server is to"
                            + " be accepted; let the context accept it, or remove one of the two");
                }
            }
            authority = authority.withoutTilde();
            certificate = certificate.withoutTilde();
            privateKey = privateKey.withoutTilde();
        }
    }

    /** Certificates or a key: in a file, as data, or none. */
    record Pem(@Nullable String path, @Nullable String data) {
        private void requireOne(String what) {
            if (path != null && data != null) {
                throw new IllegalArgumentException(
                        what + " is given both as a path (" + path + ") and as data; remove one of the two");
            }
        }

        private boolean isGiven() {
            return path != null || data != null;
        }

        private Pem withoutTilde() {
            return new Pem(ConnectionData.withoutTilde(path), data);
        }

        /** Without the data, which may be a key. */
        @Override
        public String toString() {
            return "Pem";
        }
    }

    @Override
    public String server() {
        return route.server;
    }

    @Override
    public @Nullable String caPath() {
        return tls.authority.path;
    }

    @Override
    public @Nullable String caData() {
        return tls.authority.data;
    }

    @Override
    public boolean insecure() {
        return tls.insecure;
    }

    @Override
    public @Nullable String username() {
        return authorization.username;
    }

    @Override
    public @Nullable String password() {
        return authorization.password;
    }

    @Override
    public @Nullable String scheme() {
        return authorization.scheme;
    }

    @Override
    public @Nullable String token() {
        return authorization.token;
    }

    @Override
    public @Nullable String tokenPath() {
        return authorization.tokenPath;
    }

    @Override
    public @Nullable String certificatePath() {
        return tls.certificate.path;
    }

    @Override
    public @Nullable String certificateData() {
        return tls.certificate.data;
    }

    @Override
    public @Nullable String privateKeyPath() {
        return tls.privateKey.path;
    }

    @Override
    public @Nullable String privateKeyData() {
        return tls.privateKey.data;
    }

    @Override
    public @Nullable String proxyUrl() {
        return route.proxyUrl;
    }

    @Override
    public boolean trustEnv() {
        return route.trustEnv;
    }

    @Override
    public @Nullable String tlsServerName() {
        return tls.serverName;
    }

    @Override
    public @Nullable SSLContext sslContext() {
        return tls.context;
    }

    @Override
    public Builder toBuilder() {
        return new ConnectionBuilder(server())
                .caPath(caPath())
                .caData(caData())
                .insecure(insecure())
                .username(username())
                .password(password())
                .scheme(scheme())
                .token(token())
                .tokenPath(tokenPath())
                .certificatePath(certificatePath())
                .certificateData(certificateData())
                .privateKeyPath(privateKeyPath())
                .privateKeyData(privateKeyData())
                .defaultNamespace(defaultNamespace)
                .proxyUrl(proxyUrl())
                .trustEnv(trustEnv())
                .tlsServerName(tlsServerName())
                .sslContext(sslContext())
                .priority(priority)
                .expiration(expiration);
    }

    @Override
    public ConnectionInfo withPriority(int other) {
        return toBuilder().priority(other).build();
    }

    private static URI parsed(String server, boolean userIsKnown) {
        URI uri;
        try {
            uri = new URI(server);
        } catch (URISyntaxException e) {
            // Its message quotes all of it.
            throw new IllegalArgumentException(
                    "the server must be a URL, but is '" + refused(server) + "': " + e.getReason() + escapes(server));
        }
        boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
        if (!web || uri.getHost() == null || UrlUser.isCut(uri, userIsKnown)) {
            throw new IllegalArgumentException("the server must be a URL with https or http and a host, but is '"
                    + refused(server) + "'"
                    + (server.indexOf('@') < 0 ? underscore(uri.getRawAuthority()) : escapes(server)));
        }
        return uri;
    }

    /** The address stands in messages: without the user and the password that a URL may have. */
    private static String withoutUser(String server, @Nullable UrlUser user) {
        return user == null ? server : server.replaceFirst("//[^@]*@", "//");
    }

    /** What is no address, without the user and the password that may be in it, whatever they are made of. */
    private static String refused(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            return text;
        }
        Matcher scheme = SCHEME.matcher(text);
        return (scheme.lookingAt() ? scheme.group() : "") + "***" + text.substring(at);
    }

    /** Without this hint, the address that is shown looks right. */
    private static String escapes(String text) {
        return text.indexOf('@') < 0 || !SCHEME.matcher(text).lookingAt()
                ? ""
                : "; special characters of user and password must be escaped, such as %40 for @";
    }

    /** Java's certificate checks refuse such names, too. */
    private static String underscore(@Nullable String authority) {
        return authority == null || !authority.contains("_")
                ? ""
                : " (an underscore is not permitted in a host's name: use another name, or its address; if neither is"
                        + " in the server's certificate, tls-server-name says which name is)";
    }

    private static @Nullable String withoutTilde(@Nullable String path) {
        if (path == null || !(path.equals("~") || path.startsWith("~/"))) {
            return path;
        }
        return HomeFolder.current() + path.substring(1);
    }

    /** Everything but the secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("ConnectionInfo[server=").append(server());
        show(text, "username", username());
        show(text, "scheme", scheme());
        show(text, "tokenPath", tokenPath());
        show(text, "certificatePath", certificatePath());
        show(text, "sslContext", sslContext() == null ? null : "of the login's own");
        show(text, "defaultNamespace", defaultNamespace);
        show(text, "expiration", expiration);
        show(text, "password", password() == null ? null : "***");
        show(text, "token", token() == null ? null : "***");
        show(text, "privateKey", !tls.privateKey.isGiven() ? null : "***");
        return text.append(", insecure=")
                .append(insecure())
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
}
