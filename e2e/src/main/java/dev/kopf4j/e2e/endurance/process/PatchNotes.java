package dev.kopf4j.e2e.endurance.process;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands before a cluster, and writes a line for each PATCH of an operator that has succeeded: whether it has changed
 * anything. A write that changes nothing answers a version that another write has answered, or that was there before.
 * Thread-safe.
 */
final class PatchNotes implements AutoCloseable {
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

    private final Function<ApiRequest, ApiResponse> cluster;
    private final FileOutputStream file;
    private final Set<Long> versions = new HashSet<>();
    private final long before;

    private PatchNotes(Function<ApiRequest, ApiResponse> cluster, FileOutputStream file, long before) {
        this.cluster = cluster;
        this.file = file;
        this.before = before;
    }

    /**
     * Goes on behind what earlier processes have written.
     *
     * @param token that of the cluster's administrator
     */
    static PatchNotes continued(Path path, String token, Function<ApiRequest, ApiResponse> cluster) throws IOException {
        ApiResponse list = cluster.apply(ApiRequest.of(
                "GET", "/api/v1/namespaces?limit=1", Map.of("Authorization", "Bearer " + token), new byte[0]));
        return new PatchNotes(cluster, new FileOutputStream(path.toFile(), true), version(list));
    }

    private static long version(ApiResponse list) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        switch (list.body()) {
            case ApiResponse.Whole(byte[] bytes) -> all.writeBytes(bytes);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> pieces.forEach(all::writeBytes);
            default -> throw new IllegalStateException("no list: " + list);
        }
        return JsonMapper.shared()
                .readTree(all.toByteArray())
                .at("/metadata/resourceVersion")
                .asLong(0);
    }

    ApiResponse answer(ApiRequest request) {
        ApiResponse response = cluster.apply(request);
        if (WRITES.contains(request.method())
                && response.status() < 300
                && response.body() instanceof ApiResponse.Whole(byte[] bytes)) {
            note(request, JsonMapper.shared().readTree(bytes));
        }
        return response;
    }

    private synchronized void note(ApiRequest request, JsonNode object) {
        long version = object.at("/metadata/resourceVersion").asLong(0);
        boolean isGone = object.at("/metadata").has("deletionTimestamp")
                && object.at("/metadata/finalizers").isEmpty();
        boolean isNew = isGone || (version > before && versions.add(version));
        if (request.method().equals("PATCH")
                && request.header("user-agent").orElse("").contains("kopf4j")) {
            write((isNew ? "changed\t" : "same\t") + request.path() + "\t"
                    + new String(request.body(), StandardCharsets.UTF_8).replaceAll("\\s+", " ") + "\n");
        }
    }

    private void write(String line) {
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("a PATCH cannot be noted", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
