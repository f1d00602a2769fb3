package dev.kopf4j;

import dev.kopf4j.text.HomeFolder;
import dev.kopf4j.text.UrlUser;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The data of a {@link ConnectionInfo}. Immutable. */
record ConnectionData(
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
        @Nullable SSLContext sslContext,
        int priority,
        @Nullable Instant expiration)
        implements ConnectionInfo {

    private static final Pattern SCHEME = Pattern.compile("[a-z]+://");

    /** Refuses parts that contradict each other, and resolves {@code ~} in the paths. */
    ConnectionData {
        URI uri = parsed(server, username != null || password != null);
        UrlUser user = UrlUser.of(uri);
        if (user != null && username == null && password == null) {
            username = user.name();
            password = user.password();
        }
        server = withoutUser(server, user).replaceAll("/+$", "");
        requireOne("the certificate authority", caPath, caData);
        requireOne("the client certificate", certificatePath, certificateData);
        requireOne("the client's private key", privateKeyPath, privateKeyData);
        if (sslContext != null) {
            requireNoTlsParts(
                    caPath, caData, certificatePath, certificateData, privateKeyPath, privateKeyData, tlsServerName);
            requireSecure(insecure);
        }
        caPath = withoutTilde(caPath);
        tokenPath = withoutTilde(tokenPath);
        certificatePath = withoutTilde(certificatePath);
        privateKeyPath = withoutTilde(privateKeyPath);
    }

    @Override
    public Builder toBuilder() {
        return new ConnectionBuilder(server)
                .caPath(caPath)
                .caData(caData)
                .insecure(insecure)
                .username(username)
                .password(password)
                .scheme(scheme)
                .token(token)
                .tokenPath(tokenPath)
                .certificatePath(certificatePath)
                .certificateData(certificateData)
                .privateKeyPath(privateKeyPath)
                .privateKeyData(privateKeyData)
                .defaultNamespace(defaultNamespace)
                .proxyUrl(proxyUrl)
                .trustEnv(trustEnv)
                .tlsServerName(tlsServerName)
                .sslContext(sslContext)
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

    private static void requireOne(String what, @Nullable String path, @Nullable String data) {
        if (path != null && data != null) {
            throw new IllegalArgumentException(
                    what + " is given both as a path (" + path + ") and as data; remove one of the two");
        }
    }

    private static void requireNoTlsParts(@Nullable String... parts) {
        if (Stream.of(parts).anyMatch(Objects::nonNull)) {
            throw new IllegalArgumentException(
                    "a TLS context is given, and also certificates, keys or a server name for"
                            + " another one; remove one of the two");
        }
    }

    private static void requireSecure(boolean insecure) {
        if (insecure) {
            throw new IllegalArgumentException("a TLS context is given, and any certificate of the server is to be"
                    + " accepted; let the context accept it, or remove one of the two");
        }
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
        StringBuilder text = new StringBuilder("ConnectionInfo[server=").append(server);
        show(text, "username", username);
        show(text, "scheme", scheme);
        show(text, "tokenPath", tokenPath);
        show(text, "certificatePath", certificatePath);
        show(text, "sslContext", sslContext == null ? null : "of the login's own");
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
}
