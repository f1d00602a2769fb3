package dev.kopf4j.virtual;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads responses of the dev cluster as HTTP clients get them. Pure. */
public final class ResponseBytes {
    private ResponseBytes() {}

    /** The whole body; that of a watch is none. */
    public static byte[] body(ApiResponse response) {
        return switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> bytes;
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> joined(pieces);
            case ApiResponse.Events _, ApiResponse.Broken _ -> new byte[0];
        };
    }

    private static byte[] joined(Iterable<byte[]> pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.forEach(all::writeBytes);
        return all.toByteArray();
    }

    static Map<String, List<String>> headers(ApiResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("Content-Type", List.of(response.contentType()));
        response.headers()
                .forEach(header -> headers.merge(
                        header.name(),
                        List.of(header.value()),
                        (values, more) ->
                                Stream.of(values, more).flatMap(List::stream).toList()));
        return headers;
    }
}
