package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.UserAgent;
import java.net.URI;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/** Makes the HTTP form of requests: the address, who asks, and with which credentials. Thread-safe. */
final class RequestWriter {
    private final ServerAddress address;
    private final Optional<HttpProxy> passedOnBy;
    private final AuthorizationHeader authorization;

    /** A proxy passes on what is not encrypted, and only that. */
    RequestWriter(ServerAddress address, Optional<HttpProxy> proxy, AuthorizationHeader authorization) {
        this.address = address;
        this.passedOnBy = address.secure() ? Optional.empty() : proxy;
        this.authorization = authorization;
    }

    /**
     * Makes the request.
     *
     * @throws IllegalArgumentException if the path is malformed
     */
    ClassicHttpRequest write(TransportRequest asked) {
        String path = URI.create(address.prefix() + asked.path()).toString();
        ClassicHttpRequest request = new BasicClassicHttpRequest(
                asked.method(), null, null, passedOnBy.isPresent() ? "http://" + address.authority() + path : path);
        request.setHeader(HttpHeaders.HOST, address.authority());
        request.setHeader(HttpHeaders.USER_AGENT, UserAgent.USER_AGENT);
        asked.headers().forEach(request::setHeader);
        authorization.header().ifPresent(value -> request.setHeader(HttpHeaders.AUTHORIZATION, value));
        passedOnBy.ifPresent(proxy -> proxy.authorize(request));
        byte[] body = asked.body();
        if (body != null) {
            request.setHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length));
            request.setEntity(new ByteArrayEntity(body, null));
        }
        return request;
    }
}
