package dev.kopf4j.benchmarks.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-alive connection that uses as little processor time as possible, because the measured program shares the
 * machine. Used by one thread.
 */
public final class LoadConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final String host;
    private final String credentials;

    /** Without credentials. */
    public LoadConnection(URI server) throws IOException {
        this(server, "");
    }

    /** As the administrator. */
    public LoadConnection(ServerAddress server) throws IOException {
        this(server.url(), "Authorization: Bearer " + server.token() + "\r\n");
    }

    private LoadConnection(URI server, String credentials) throws IOException {
        this.credentials = credentials;
        Socket plain = new Socket(server.getHost(), server.getPort());
        plain.setTcpNoDelay(true);
        socket = server.getScheme().equals("https")
                ? AnyServerTrust.context()
                        .getSocketFactory()
                        .createSocket(plain, server.getHost(), server.getPort(), true)
                : plain;
        socket.setSoTimeout(30_000);
        in = new BufferedInputStream(socket.getInputStream(), 16_384);
        host = server.getAuthority();
    }

    /** Sends a request; an answer that is not a success is an error. */
    public void send(String method, String path, String contentType, byte[] body) throws IOException {
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: kubectl/v1.33\r\n"
                + credentials + "Content-Type: " + contentType + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + body.length);
        request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        request.writeTo(socket.getOutputStream());
        String status = line();
        int length = contentLength();
        byte[] answer = in.readNBytes(length);
        if (!status.startsWith("HTTP/1.1 2")) {
            throw new IOException(
                    method + " " + path + ": " + status + " " + new String(answer, StandardCharsets.UTF_8));
        }
    }

    private int contentLength() throws IOException {
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).trim());
            }
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server has closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
