package dev.kopf4j.devcluster.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the requests of one connection (RFC 9112). Confined to a thread. */
final class HttpRequestReader {
    private static final int MAX_HEAD = 1 << 20;
    private static final int MAX_CHUNK_LINE = 4096;
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-fA-F]{1,7}");
    private final InputStream in;
    private final int maxBody;
    private final Runnable sendContinue;
    private byte[] buffer = new byte[8192];
    private int start;
    private int end;

    /**
     * A reader.
     *
     * @param maxBody how long a body may be; of a longer one, one byte more is read, and no further request follows
     * @param sendContinue tells a client that waits for it to send its body
     */
    HttpRequestReader(InputStream in, int maxBody, Runnable sendContinue) {
        this.in = in;
        this.maxBody = maxBody;
        this.sendContinue = sendContinue;
    }

    /** The next request; empty if the client has closed the connection after the last one. */
    Optional<HttpRequest> next() throws IOException {
        int length = headLength();
        if (length < 0) {
            return Optional.empty();
        }
        String head = new String(buffer, start, length, StandardCharsets.ISO_8859_1);
        start += length;
        return Optional.of(request(head));
    }

    /** The length of the next head with the empty line behind it; negative at the end of the connection. */
    private int headLength() throws IOException {
        int scanned = 0;
        while (true) {
            while (start < end && scanned == 0 && (buffer[start] == '\r' || buffer[start] == '\n')) {
                start++; // RFC 9112, 2.2: empty lines before a request are no error
            }
            for (int at = start + scanned; at < end; at++) {
                if (buffer[at] == '\n' && endsHead(at)) {
                    return at + 1 - start;
                }
            }
            scanned = Math.max(0, end - start);
            if (scanned > MAX_HEAD) {
                throw new MalformedRequestException(431, "the headers are too long");
            }
            if (!fill()) {
                if (start == end) {
                    return -1;
                }
                throw new EOFException("the connection was closed within a request");
            }
        }
    }

    private boolean endsHead(int at) {
        return (at > start && buffer[at - 1] == '\n')
                || (at > start + 1 && buffer[at - 1] == '\r' && buffer[at - 2] == '\n');
    }

    private boolean fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == buffer.length) {
            buffer = java.util.Arrays.copyOf(buffer, buffer.length * 2);
        }
        int count = in.read(buffer, end, buffer.length - end);
        end += Math.max(0, count);
        return count > 0;
    }

    private HttpRequest request(String head) throws IOException {
        List<String> lines = head.lines().filter(line -> !line.isEmpty()).toList();
        String[] first = lines.getFirst().split(" ", -1);
        if (first.length != 3 || !first[2].startsWith("HTTP/1.") || !isToken(first[0]) || first[1].isEmpty()) {
            throw new MalformedRequestException(400, "malformed request line");
        }
        Map<String, String> headers = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            header(line, headers);
        }
        boolean persistent = isPersistent(first[2], headers);
        byte[] body = body(headers);
        return new HttpRequest(first[0], path(first[1]), headers, body, persistent && body.length <= maxBody);
    }

    private static void header(String line, Map<String, String> into) throws MalformedRequestException {
        int colon = line.indexOf(':');
        if (colon <= 0 || !isToken(line.substring(0, colon))) {
            throw new MalformedRequestException(400, "malformed header");
        }
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        String separator = name.startsWith("impersonate-") ? "\n" : ","; // groups may have commas in them
        into.merge(name, line.substring(colon + 1).strip(), (one, two) -> one + separator + two);
    }

    private static boolean isToken(String word) {
        for (int index = 0; index < word.length(); index++) {
            char letter = word.charAt(index);
            if (letter <= ' ' || letter >= 127 || "()<>@,;:\\\"/[]?={}".indexOf(letter) >= 0) {
                return false;
            }
        }
        return !word.isEmpty();
    }

    private static boolean isPersistent(String version, Map<String, String> headers) {
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        return version.equals("HTTP/1.0") ? connection.contains("keep-alive") : !connection.contains("close");
    }

    /** Proxies are sent whole addresses; what counts of them is the path. */
    private static String path(String target) {
        int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
        if (scheme < 0) {
            return target;
        }
        int slash = target.indexOf('/', scheme + 3);
        return slash < 0 ? "/" : target.substring(slash);
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        String encoding = headers.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT);
        String length = headers.getOrDefault("content-length", "");
        if (encoding.isEmpty() && length.isEmpty()) {
            return new byte[0];
        }
        if (!encoding.isEmpty() && (!encoding.equals("chunked") || !length.isEmpty())) {
            throw new MalformedRequestException(
                    encoding.equals("chunked") ? 400 : 501, "unsupported transfer encoding");
        }
        if (encoding.isEmpty() && !LENGTH.matcher(length).matches()) {
            throw new MalformedRequestException(400, "bad Content-Length");
        }
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            sendContinue.run();
        }
        return encoding.isEmpty() ? exactly(Long.parseLong(length)) : chunks();
    }

    private byte[] exactly(long length) throws IOException {
        byte[] body = new byte[(int) Math.min(length, maxBody + 1L)];
        take(body, 0, body.length);
        return body;
    }

    private void take(byte[] into, int from, int count) throws IOException {
        int buffered = Math.min(count, end - start);
        System.arraycopy(buffer, start, into, from, buffered);
        start += buffered;
        if (in.readNBytes(into, from + buffered, count - buffered) < count - buffered) {
            throw new EOFException("the connection was closed within a body");
        }
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = chunkSize(line());
            if (size == 0) {
                String trailer = line(); // trailers say nothing to us
                while (!trailer.isEmpty()) {
                    trailer = line();
                }
                return body.toByteArray();
            }
            byte[] chunk = new byte[Math.min(size, maxBody + 1 - body.size())];
            take(chunk, 0, chunk.length);
            body.writeBytes(chunk);
            if (body.size() > maxBody) {
                return body.toByteArray();
            }
            if (!line().isEmpty()) {
                throw new MalformedRequestException(400, "malformed chunk");
            }
        }
    }

    private static int chunkSize(String line) throws MalformedRequestException {
        int semicolon = line.indexOf(';');
        String size = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
        if (!CHUNK_SIZE.matcher(size).matches()) {
            throw new MalformedRequestException(400, "malformed chunk");
        }
        return Integer.parseInt(size, 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < MAX_CHUNK_LINE) {
            if (start == end && !fill()) {
                throw new EOFException("the connection was closed within a body");
            }
            char letter = (char) (buffer[start++] & 0xff);
            if (letter == '\n') {
                int length = line.length();
                return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
            }
            line.append(letter);
        }
        throw new MalformedRequestException(400, "malformed chunk");
    }

    /** What was read beyond the last request, then the connection itself. */
    int read() throws IOException {
        return start < end ? buffer[start++] & 0xff : in.read();
    }
}
