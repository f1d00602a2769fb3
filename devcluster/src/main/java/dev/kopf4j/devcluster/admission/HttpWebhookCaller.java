package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.api.WebhookCaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Calls webhooks over HTTPS. Thread-safe; keeps HTTP clients for the latest sets of authorities until it is closed. */
public final class HttpWebhookCaller implements WebhookCaller, AutoCloseable {
    private static final int MAX_CLIENTS = 64;
    private static final long MAX_ANSWER = 32 * 1024 * 1024;

    /** The one that was used last is the last one. */
    private final LinkedHashMap<Peer, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    /** Creates a caller; it has no connections yet. */
    public HttpWebhookCaller() {}

    /** Whom a client trusts, and by which name; empty for that in the URL. */
    private record Peer(String authorities, Optional<String> serverName) {}

    @Override
    public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
        return call(url, Optional.empty(), authorities, body, timeout);
    }

    @Override
    public byte[] call(String url, Optional<String> serverName, String authorities, byte[] body, Duration timeout)
            throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", USER_AGENT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        try {
            HttpResponse<byte[]> response = answer(client(new Peer(authorities, serverName)), request, timeout);
            if (response.statusCode() / 100 != 2) {
                throw new IOException("an error on the server (\"" + new String(response.body(), StandardCharsets.UTF_8)
                        + "\") has prevented the request from succeeding");
            }
            return response.body();
        } catch (HttpTimeoutException | TimeoutException e) {
            throw new IOException("Post \"" + url + "\": context deadline exceeded", e);
        } catch (ConnectException e) {
            throw new IOException("Post \"" + url + "\": dial tcp: " + why(e), e);
        } catch (IOException e) {
            throw new IOException("Post \"" + url + "\": " + why(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Post \"" + url + "\": the server is closing", e);
        }
    }

    /** Waits for the whole answer: the timeout of a request is over when the answer begins. */
    private static HttpResponse<byte[]> answer(HttpClient client, HttpRequest request, Duration timeout)
            throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_ANSWER));
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    /** The first cause that says something; many of the JDK's exceptions about connections have no message. */
    private static String why(IOException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnresolvedAddressException) {
                return "no such host";
            }
            String message = each.getMessage();
            if (message != null && !message.isBlank()) {
                return message;
            }
        }
        return failure instanceof ConnectException ? "connection refused" : failure.toString();
    }

    /** Above the limit, the client that was not used for longest is closed when its calls have ended. */
    private synchronized HttpClient client(Peer peer) throws IOException {
        HttpClient present = clients.get(peer);
        if (present != null) {
            return present;
        }
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (!peer.authorities().isEmpty() || peer.serverName().isPresent()) {
            builder.sslContext(trusting(peer));
        }
        HttpClient made = builder.build();
        clients.put(peer, made);
        if (clients.size() > MAX_CLIENTS) {
            clients.pollFirstEntry().getValue().shutdown();
        }
        return made;
    }

    private static SSLContext trusting(Peer peer) throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(peer.authorities().isEmpty() ? null : store(peer.authorities()));
            TrustManager[] trust = factory.getTrustManagers();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    peer.serverName().isEmpty()
                            ? trust
                            : ServerNameTrust.of(trust, peer.serverName().get()),
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("unable to load root certificates: " + e.getMessage(), e);
        }
    }

    private static KeyStore store(String authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (Certificate certificate : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(authorities.getBytes(StandardCharsets.UTF_8)))) {
            store.setCertificateEntry("ca-" + count++, certificate);
        }
        return store;
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }

    /** Trusts servers whose certificate is for a given name, whatever address they were reached by. Thread-safe. */
    private static final class ServerNameTrust extends X509ExtendedTrustManager {
        private static final int DNS_NAME = 2;
        private final X509TrustManager chains;
        private final String serverName;

        private ServerNameTrust(X509TrustManager chains, String serverName) {
            this.chains = chains;
            this.serverName = serverName;
        }

        /** The same trust in chains, with another rule for names. */
        static TrustManager[] of(TrustManager[] trust, String serverName) {
            return new TrustManager[] {new ServerNameTrust((X509TrustManager) trust[0], serverName)};
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            chains.checkServerTrusted(chain, authType);
            Collection<List<?>> names =
                    Optional.ofNullable(chain[0].getSubjectAlternativeNames()).orElse(List.of());
            List<String> hosts = names.stream()
                    .filter(name -> name.get(0).equals(DNS_NAME))
                    .map(name -> String.valueOf(name.get(1)))
                    .toList();
            if (hosts.stream().noneMatch(this::isMet)) {
                throw new CertificateException(
                        "certificate is valid for " + String.join(", ", hosts) + ", not " + serverName);
            }
        }

        /** A star stands for the first part of a name (RFC 6125, 6.4.3). */
        private boolean isMet(String host) {
            String pattern = host.toLowerCase(Locale.ROOT);
            return pattern.equals(serverName)
                    || (pattern.startsWith("*.")
                            && serverName.indexOf('.') > 0
                            && pattern.substring(1).equals(serverName.substring(serverName.indexOf('.'))));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            chains.checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            chains.checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            chains.checkClientTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return chains.getAcceptedIssuers();
        }
    }
}
