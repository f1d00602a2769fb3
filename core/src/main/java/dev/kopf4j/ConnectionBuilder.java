package dev.kopf4j;

import dev.kopf4j.ConnectionData.Address;
import dev.kopf4j.ConnectionData.Authorization;
import dev.kopf4j.ConnectionData.Pem;
import dev.kopf4j.ConnectionData.Route;
import dev.kopf4j.ConnectionData.Tls;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The builder of {@link ConnectionData}. */
final class ConnectionBuilder implements ConnectionInfo.Builder {
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
    private @Nullable SSLContext sslContext;
    private int priority;
    private @Nullable Instant expiration;

    ConnectionBuilder(String server) {
        this.server = server;
    }

    @Override
    public ConnectionBuilder caPath(@Nullable String value) {
        caPath = value;
        return this;
    }

    @Override
    public ConnectionBuilder caData(@Nullable String value) {
        caData = value;
        return this;
    }

    @Override
    public ConnectionBuilder insecure(boolean value) {
        insecure = value;
        return this;
    }

    @Override
    public ConnectionBuilder username(@Nullable String value) {
        username = value;
        return this;
    }

    @Override
    public ConnectionBuilder password(@Nullable String value) {
        password = value;
        return this;
    }

    @Override
    public ConnectionBuilder scheme(@Nullable String value) {
        scheme = value;
        return this;
    }

    @Override
    public ConnectionBuilder token(@Nullable String value) {
        token = value;
        return this;
    }

    @Override
    public ConnectionBuilder tokenPath(@Nullable String value) {
        tokenPath = value;
        return this;
    }

    @Override
    public ConnectionBuilder certificatePath(@Nullable String value) {
        certificatePath = value;
        return this;
    }

    @Override
    public ConnectionBuilder certificateData(@Nullable String value) {
        certificateData = value;
        return this;
    }

    @Override
    public ConnectionBuilder privateKeyPath(@Nullable String value) {
        privateKeyPath = value;
        return this;
    }

    @Override
    public ConnectionBuilder privateKeyData(@Nullable String value) {
        privateKeyData = value;
        return this;
    }

    @Override
    public ConnectionBuilder defaultNamespace(@Nullable String value) {
        defaultNamespace = value;
        return this;
    }

    @Override
    public ConnectionBuilder proxyUrl(@Nullable String value) {
        proxyUrl = value;
        return this;
    }

    @Override
    public ConnectionBuilder trustEnv(boolean value) {
        trustEnv = value;
        return this;
    }

    @Override
    public ConnectionBuilder tlsServerName(@Nullable String value) {
        tlsServerName = value;
        return this;
    }

    @Override
    public ConnectionBuilder sslContext(@Nullable SSLContext value) {
        sslContext = value;
        return this;
    }

    @Override
    public ConnectionBuilder priority(int value) {
        priority = value;
        return this;
    }

    @Override
    public ConnectionBuilder expiration(@Nullable Instant value) {
        expiration = value;
        return this;
    }

    @Override
    public ConnectionInfo build() {
        Authorization given = new Authorization(username, password, scheme, token, tokenPath);
        Address address = Address.of(server, given.namesUser());
        return new ConnectionData(
                new Route(address.url(), proxyUrl, trustEnv),
                given.or(address.user()),
                new Tls(
                        new Pem(caPath, caData),
                        new Pem(certificatePath, certificateData),
                        new Pem(privateKeyPath, privateKeyData),
                        insecure,
                        tlsServerName,
                        sslContext),
                defaultNamespace,
                priority,
                expiration);
    }
}
