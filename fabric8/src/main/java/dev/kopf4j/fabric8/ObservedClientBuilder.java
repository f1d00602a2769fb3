package dev.kopf4j.fabric8;

import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Builds a client that tells what it has written, and passes everything else on.
 *
 * @param builder builds the client that sends the requests
 * @param listener hears the answers
 */
record ObservedClientBuilder(HttpClient.Builder builder, WriteListener listener) implements HttpClient.Builder {
    private HttpClient.Builder with(HttpClient.Builder changed) {
        return new ObservedClientBuilder(changed, listener);
    }

    @Override
    public HttpClient build() {
        return new ObservedClient(builder.build(), listener);
    }

    @Override
    public HttpClient.DerivedClientBuilder tag(Object value) {
        var _ = builder.tag(value);
        return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(long timeout, TimeUnit unit) {
        return with(builder.connectTimeout(timeout, unit));
    }

    @Override
    public HttpClient.Builder addOrReplaceInterceptor(String name, @Nullable Interceptor interceptor) {
        return with(builder.addOrReplaceInterceptor(name, interceptor));
    }

    @Override
    public HttpClient.Builder authenticatorNone() {
        return with(builder.authenticatorNone());
    }

    @Override
    public HttpClient.Builder sslContext(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust) {
        return with(builder.sslContext(keys, trust));
    }

    @Override
    public HttpClient.Builder followAllRedirects() {
        return with(builder.followAllRedirects());
    }

    @Override
    public HttpClient.Builder proxyAddress(InetSocketAddress address) {
        return with(builder.proxyAddress(address));
    }

    @Override
    public HttpClient.Builder proxyAuthorization(String credentials) {
        return with(builder.proxyAuthorization(credentials));
    }

    @Override
    public HttpClient.Builder tlsVersions(TlsVersion... versions) {
        return with(builder.tlsVersions(versions));
    }

    @Override
    public HttpClient.Builder preferHttp11() {
        return with(builder.preferHttp11());
    }

    @Override
    public HttpClient.Builder proxyType(HttpClient.ProxyType type) {
        return with(builder.proxyType(type));
    }

    @Override
    public HttpClient.Builder tlsServerName(String name) {
        return with(builder.tlsServerName(name));
    }
}
