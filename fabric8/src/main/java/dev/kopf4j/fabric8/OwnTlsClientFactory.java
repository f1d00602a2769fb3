package dev.kopf4j.fabric8;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import javax.net.ssl.SSLContext;

/** Makes clients whose connections are secured by the TLS context of a login. fabric8 takes only parts of one. */
final class OwnTlsClientFactory extends JdkHttpClientFactory {
    private final SSLContext context;

    OwnTlsClientFactory(SSLContext context) {
        this.context = context;
    }

    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
        builder.sslContext(context);
    }
}
