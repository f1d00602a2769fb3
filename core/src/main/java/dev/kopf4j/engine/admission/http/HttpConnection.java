package dev.kopf4j.engine.admission.http;

import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one client, one after the other. Confined to a task. */
final class HttpConnection {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DISCARDED_MAX = 2 * RequestBody.BYTES_MAX;

    private final Platform platform;
    private final Socket socket;
    private final ConnectionGuard guard;
    private final HttpAnswer answer;
    private final RequestBytes received;
    private final OutputStream out;

    HttpConnection(Platform platform, Socket socket, ConnectionGuard guard, HttpAnswer answer) throws IOException {
        this.platform = platform;
        this.socket = socket;
        this.guard = guard;
        this.answer = answer;
        this.received = new RequestBytes(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** Serves until the client goes. */
    void serve() throws IOException {
        X509Certificate certificate = certificate();
        try {
            guard.waiting();
            while (received.await()) {
                guard.receiving();
                if (!serveOne(certificate)) {
                    return;
                }
                guard.waiting();
            }
        } catch (HttpProblem e) {
            guard.sending();
            send(e.reply(), true, true);
            farewell();
        }
    }

    /** The handshake, if there is one, must not count as waiting. */
    private @Nullable X509Certificate certificate() throws IOException {
        if (!(socket instanceof SSLSocket secure)) {
            return null;
        }
        secure.startHandshake();
        try {
            return secure.getSession().getPeerCertificates()[0] instanceof X509Certificate found ? found : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // it has shown none, and need not
        }
    }

    /** Answers a request; true if another may follow. */
    private boolean serveOne(@Nullable X509Certificate certificate) throws IOException {
        RequestHead head = RequestHead.parse(received.head());
        if (head.waitsForContinue() && RequestBody.bounded(head.length()) != 0) {
            out.write(CONTINUE);
            out.flush();
        }
        byte[] body = RequestBody.read(head, received);
        guard.answering();
        HttpReply reply = answer.to(new HttpRequest(head.method(), head.path(), head.headers(), body, certificate));
        boolean tooLate = Thread.interrupted(); // with the flag on, the reply could not be sent
        guard.sending();
        boolean last = tooLate || !head.persistent() || reply.isLast();
        send(reply, !head.method().equals("HEAD"), last);
        return !last;
    }

    /** Sends all in one piece: a packet, and a record of TLS, have room for most replies. */
    private void send(HttpReply reply, boolean withBody, boolean last) throws IOException {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ").append(reply.status()).append(" \r\n");
        header(
                head,
                "Date",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(platform.now().atOffset(ZoneOffset.UTC)));
        reply.headers().forEach((name, value) -> header(head, name, value));
        header(head, "Content-Type", reply.type());
        header(head, "Content-Length", String.valueOf(reply.body().length));
        if (last) {
            header(head, "Connection", "close");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + 2 + reply.body().length);
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (withBody) {
            all.writeBytes(reply.body());
        }
        out.write(all.toByteArray());
        out.flush();
    }

    private static void header(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** If the connection were closed while something still comes, it would be reset, and the client lose the reply. */
    private void farewell() throws IOException {
        socket.shutdownOutput();
        received.drain(DISCARDED_MAX);
    }
}
