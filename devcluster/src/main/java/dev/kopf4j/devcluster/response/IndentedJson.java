package dev.kopf4j.devcluster.response;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.util.Iterator;
import java.util.List;

/**
 * JSON with a line for each value, as the server writes it for people: {@code isPrettyPrint} in
 * {@code pkg/endpoints/handlers/negotiation/negotiate.go} of the apiserver library, v1.33. Pieces become indented one
 * by one. Used by one thread.
 */
public final class IndentedJson {
    private static final List<String> PEOPLE = List.of("curl", "Wget", "Mozilla/5.0");
    private static final List<String> YES = List.of("1", "t", "T", "TRUE", "true", "True");

    private int depth;
    private boolean quoted;
    private boolean escaped;
    /** Whether an object or array has begun, and has nothing yet. */
    private boolean opened;

    private IndentedJson() {}

    /** The response as it is, or indented where the request asks for it, or comes from a tool or browser of people. */
    public static ApiResponse where(ApiRequest request, ApiResponse response) {
        boolean indented = response.contentType().equals("application/json")
                && (request.path().startsWith("/api") || response.status() >= 400)
                && isFromPeople(request);
        return indented ? of(response) : response;
    }

    /** The response with its JSON indented; watches stay as they are. */
    public static ApiResponse of(ApiResponse response) {
        ApiResponse.Body body = switch (response.body()) {
            case ApiResponse.Whole whole -> new ApiResponse.Whole(new IndentedJson().indented(whole.bytes()));
            case ApiResponse.Pieces pieces ->
                new ApiResponse.Pieces(() -> indented(pieces.pieces().iterator()));
            case ApiResponse.Events events -> events;
            case ApiResponse.Broken broken -> broken;
        };
        return new ApiResponse(response.status(), response.contentType(), response.headers(), body, response.delay());
    }

    private static boolean isFromPeople(ApiRequest request) {
        String wish = request.parameter("pretty");
        if (!wish.isEmpty()) {
            return YES.contains(wish);
        }
        String agent = request.header("user-agent").orElse("");
        return PEOPLE.stream().anyMatch(agent::startsWith);
    }

    private static Iterator<byte[]> indented(Iterator<byte[]> pieces) {
        IndentedJson json = new IndentedJson();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return pieces.hasNext();
            }

            @Override
            public byte[] next() {
                return json.indented(pieces.next());
            }
        };
    }

    private byte[] indented(byte[] piece) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(piece.length * 2);
        for (byte each : piece) {
            if (quoted) {
                out.write(each);
                quoted = escaped || each != '"';
                escaped = !escaped && each == '\\';
            } else {
                token(each, out);
            }
        }
        return out.toByteArray();
    }

    private void token(byte each, ByteArrayOutputStream out) {
        switch (each) {
            case ' ', '\n', '\r', '\t' -> {}
            case '}', ']' -> {
                depth--;
                if (!opened) {
                    line(out);
                }
                opened = false;
                out.write(each);
            }
            case ',' -> {
                out.write(each);
                line(out);
            }
            case ':' -> {
                out.write(each);
                out.write(' ');
            }
            default -> {
                if (opened) {
                    line(out);
                    opened = false;
                }
                out.write(each);
                quoted = each == '"';
                if (each == '{' || each == '[') {
                    depth++;
                    opened = true;
                }
            }
        }
    }

    private void line(ByteArrayOutputStream out) {
        out.write('\n');
        for (int level = 0; level < depth; level++) {
            out.write(' ');
            out.write(' ');
        }
    }
}
