package dev.kopf4j.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An image of the OCI layout, unpacked as a container engine does, layer upon layer.
 *
 * @param files the root of its file system
 * @param config what it says about its start
 * @see <a href="https://github.com/opencontainers/image-spec/blob/v1.1.0/config.md">the configuration</a>
 */
record UnpackedImage(Path files, JsonNode config) {
    private static final JsonMapper JSON = JsonMapper.shared();

    static UnpackedImage of(Path layout, Path files) throws IOException {
        JsonNode index = JSON.readTree(Files.readAllBytes(layout.resolve("index.json")));
        JsonNode manifest = JSON.readTree(
                Files.readAllBytes(blob(layout, index.at("/manifests/0/digest").asString())));
        Files.createDirectories(files);
        for (JsonNode layer : manifest.path("layers")) {
            String archive = blob(layout, layer.path("digest").asString()).toString();
            Programs.run(Map.of(), "tar", "-xzf", archive, "-C", files.toString());
        }
        Path config = blob(layout, manifest.at("/config/digest").asString());
        return new UnpackedImage(
                files, JSON.readTree(Files.readAllBytes(config)).path("config"));
    }

    private static Path blob(Path layout, String digest) {
        return layout.resolve("blobs/sha256").resolve(digest.replace("sha256:", ""));
    }

    /** What is started: the entry point with these arguments, which take the place of the image's own. */
    List<String> command(List<String> arguments) {
        return Stream.concat(texts("Entrypoint").stream(), arguments.stream()).toList();
    }

    /** The arguments that the image has itself. */
    List<String> arguments() {
        return texts("Cmd");
    }

    String user() {
        return config.path("User").asString();
    }

    private List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        config.path(field).forEach(text -> texts.add(text.asString()));
        return texts;
    }
}
