package dev.kopf4j.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@link ImageTool}: what images consist of, in all three forms. */
@Tag("P60")
class ImageToolTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeFiles() throws IOException {
        Files.createDirectories(folder.resolve("root/usr/bin"));
        Files.writeString(folder.resolve("root/usr/bin/true"), "#!/bin/sh\n");
        assertThat(folder.resolve("root/usr/bin/true").toFile().setExecutable(true, false))
                .isTrue();
        Files.createSymbolicLink(folder.resolve("root/bin"), Path.of("usr/bin"));
        Files.createDirectories(folder.resolve("app/lib"));
        Files.writeString(folder.resolve("app/operator.jar"), "an operator");
        Files.writeString(folder.resolve("app/lib/a.jar"), "a library");
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--layer", "application=" + folder.resolve("app") + "=/app",
                "--entrypoint", "/opt/java/bin/java",
                "--entrypoint", "-jar",
                "--entrypoint", "/app/operator.jar",
                "--argument", "-A",
                "--environment", "A=b=c",
                "--port", "8080"));
        all.addAll(List.of(arguments));
        ToolProvider tool = ServiceLoader.load(ToolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals("kopf4j-image"))
                .findFirst()
                .orElseGet(ImageTool::new);
        return tool.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    private JsonNode blob(Path layout, String digest) throws IOException {
        return JSON.readTree(Files.readAllBytes(layout.resolve("blobs/sha256").resolve(digest.replace("sha256:", ""))));
    }

    private JsonNode manifest(Path layout) throws IOException {
        JsonNode index = JSON.readTree(Files.readAllBytes(layout.resolve("index.json")));
        return blob(layout, index.at("/manifests/0/digest").asString());
    }

    /** The entries of all layers: their names, with links, modes and contents. */
    private Map<String, String> entries(Path layout) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        for (JsonNode layer : manifest(layout).path("layers")) {
            Path file = layout.resolve("blobs/sha256")
                    .resolve(layer.path("digest").asString().replace("sha256:", ""));
            try (InputStream stream = new GZIPInputStream(Files.newInputStream(file));
                    TarArchiveInputStream tar = new TarArchiveInputStream(stream)) {
                for (TarArchiveEntry each = tar.getNextEntry(); each != null; each = tar.getNextEntry()) {
                    entries.put(
                            "/" + each.getName().replaceAll("^/|/$", ""),
                            each.isSymbolicLink()
                                    ? "-> " + each.getLinkName()
                                    : Integer.toOctalString(each.getMode() & 0777)
                                            + (each.isDirectory()
                                                    ? ""
                                                    : " " + new String(tar.readAllBytes(), StandardCharsets.UTF_8)));
                }
            }
        }
        return entries;
    }

    @Test
    void anImageOnARootFileSystemHasItsLinksAndTheFilesOfTheOperator() throws IOException {
        Path layout = folder.resolve("layout");
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--layout", layout.toString()))
                .as(err::toString)
                .isZero();
        assertThat(entries(layout))
                .containsEntry("/bin", "-> usr/bin")
                .containsEntry("/usr/bin/true", "755 #!/bin/sh\n")
                .containsEntry("/app/operator.jar", "644 an operator")
                .containsEntry("/app/lib/a.jar", "644 a library");
        JsonNode config = blob(layout, manifest(layout).at("/config/digest").asString());
        assertThat(config.at("/config/User").asString()).isEqualTo("65532:65532");
        assertThat(config.at("/config/Entrypoint"))
                .hasToString("[\"/opt/java/bin/java\",\"-jar\",\"/app/operator.jar\"]");
        assertThat(config.at("/config/Cmd")).hasToString("[\"-A\"]");
        assertThat(config.at("/config/Env").toString()).contains("A=b=c");
        assertThat(config.at("/config/ExposedPorts").toString()).contains("8080/tcp");
        assertThat(config.path("architecture").asString()).isEqualTo("amd64");
        assertThat(JSON.readTree(Files.readAllBytes(layout.resolve("oci-layout")))
                        .path("imageLayoutVersion")
                        .asString())
                .isEqualTo("1.0.0");
    }

    /** Who calls it deletes all when a signal ends the program. */
    @Test
    void itsFilesAreInTheFolderOfWhoCallsIt() {
        Path gone = folder.resolve("gone");
        String tar = folder.resolve("image.tar").toString();
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--tar", tar, "--work", gone.toString()))
                .isNotZero();
        assertThat(err.toString()).contains("files of the image cannot be written", gone.toString());
    }

    /** But nothing is tidied where others have put more than one image. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void ofAnOlderImageInTheFolderNothingStaysThatIsNotNeeded(int images, boolean stays) throws IOException {
        Path layout = folder.resolve("layout");
        Path blobs = Files.createDirectories(layout.resolve("blobs/sha256"));
        Files.writeString(layout.resolve("oci-layout"), "{}");
        String manifests = String.join(", ", Collections.nCopies(images, "{}"));
        Files.writeString(layout.resolve("index.json"), "{\"manifests\": [" + manifests + "]}");
        Path older = Files.writeString(blobs.resolve("a".repeat(64)), "older");
        Path notes = Files.writeString(blobs.resolve("notes.txt"), "of somebody");
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--layout", layout.toString()))
                .as(err::toString)
                .isZero();
        assertThat(Files.exists(older)).isEqualTo(stays);
        assertThat(notes).exists();
        assertThat(entries(layout)).containsKey("/app/operator.jar");
    }

    @Test
    void aLayoutWhoseIndexWasCutOffIsReplaced() throws IOException {
        Path layout = Files.createDirectories(folder.resolve("layout"));
        Files.writeString(layout.resolve("oci-layout"), "{}");
        Files.writeString(layout.resolve("index.json"), "{\"manifests\": [");
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--layout", layout.toString()))
                .as(err::toString)
                .isZero();
        assertThat(entries(layout)).containsKey("/app/operator.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"70000", "x"})
    void whatIsNoPortIsRefused(String port) {
        assertThat(run(
                        "--root-filesystem",
                        folder.resolve("root").toString(),
                        "--tar",
                        folder.resolve("1.tar").toString(),
                        "--port",
                        port))
                .isNotZero();
        assertThat(err.toString()).contains("a port is a number from 1 to 65535, as 8080: ");
    }

    @Test
    void theSameFilesMakeTheSameImageBitByBit() throws IOException {
        String root = folder.resolve("root").toString();
        assertThat(run(
                        "--root-filesystem",
                        root,
                        "--tar",
                        folder.resolve("1.tar").toString()))
                .isZero();
        for (String file : List.of("root/usr/bin/true", "app/operator.jar", "app/lib")) {
            Files.setLastModifiedTime(folder.resolve(file), FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
        }
        assertThat(run(
                        "--root-filesystem",
                        root,
                        "--tar",
                        folder.resolve("2.tar").toString()))
                .isZero();
        assertThat(folder.resolve("2.tar")).hasSameBinaryContentAs(folder.resolve("1.tar"));
        assertThat(out.toString().lines().distinct()).hasSize(1);
    }

    @Test
    void imagesAreBasesOfOthersAndTarsAreRootFileSystems() throws IOException {
        Path base = folder.resolve("base.tar");
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--tar", base.toString()))
                .as(err::toString)
                .isZero();
        try (TinyRegistry registry = new TinyRegistry()) {
            String pushed = registry.address() + "/team/base:1";
            assertThat(run(
                            "--root-filesystem",
                            folder.resolve("root").toString(),
                            "--push",
                            pushed,
                            "--insecure-registry",
                            "true"))
                    .as(err::toString)
                    .isZero();
            assertThat(registry.manifests).containsKey("1");
            String digest = out.toString().lines().toList().getLast();
            assertThat(registry.manifests).containsKey(digest);

            Path layout = folder.resolve("derived");
            Files.writeString(folder.resolve("app/more.txt"), "more");
            assertThat(run("--base", pushed, "--layout", layout.toString(), "--insecure-registry", "true"))
                    .as(err::toString)
                    .isZero();
            assertThat(entries(layout)).containsEntry("/bin", "-> usr/bin").containsEntry("/app/more.txt", "644 more");
        }
    }

    @Test
    void onABaseOfSeveralArchitecturesAnImageForEachHasTheSameLayersOfTheOperator() throws IOException {
        try (TinyRegistry registry = new TinyRegistry()) {
            Map<String, String> bases = new TreeMap<>();
            for (String architecture : List.of("amd64", "arm64")) {
                Files.writeString(folder.resolve("root/machine"), architecture);
                bases.put(architecture, pushedBase(registry, architecture));
            }
            registry.manifests.put("java", index(bases).getBytes(StandardCharsets.UTF_8));
            out.getBuffer().setLength(0);

            assertThat(run(
                            "--base",
                            registry.address() + "/team/base:java",
                            "--architecture",
                            "amd64",
                            "--architecture",
                            "arm64",
                            "--push",
                            registry.address() + "/team/operator:1",
                            "--insecure-registry",
                            "true"))
                    .as(err::toString)
                    .isZero();
            byte[] pushed = Objects.requireNonNull(registry.manifests.get("1"));
            assertThat(out.toString().strip()).isEqualTo(TinyRegistry.digest(pushed));
            JsonNode list = JSON.readTree(pushed);
            assertThat(list.path("mediaType").asString())
                    .isEqualTo("application/vnd.docker.distribution.manifest.list.v2+json");
            assertThat(list.path("manifests")).hasSize(2);
            Map<String, JsonNode> layers = new TreeMap<>();
            for (JsonNode each : list.path("manifests")) {
                JsonNode manifest =
                        JSON.readTree(registry.manifests.get(each.path("digest").asString()));
                JsonNode config = JSON.readTree(
                        registry.blobs.get(manifest.at("/config/digest").asString()));
                assertThat(config.path("architecture")).isEqualTo(each.at("/platform/architecture"));
                assertThat(each.at("/platform/os").asString()).isEqualTo("linux");
                assertThat(config.at("/config/Entrypoint").toString()).contains("/app/operator.jar");
                layers.put(config.path("architecture").asString(), manifest.path("layers"));
                manifest.path("layers")
                        .forEach(layer -> assertThat(registry.blobs)
                                .containsKey(layer.path("digest").asString()));
            }
            assertThat(layers).containsOnlyKeys("amd64", "arm64");
            JsonNode amd = Objects.requireNonNull(layers.get("amd64"));
            JsonNode arm = Objects.requireNonNull(layers.get("arm64"));
            assertThat(amd)
                    .as("the root, the files of the base, those of the operator")
                    .hasSize(3);
            assertThat(amd.at("/0/digest")).isNotEqualTo(arm.at("/0/digest"));
            assertThat(amd.at("/2/digest")).isEqualTo(arm.at("/2/digest"));
        }
    }

    /** Its digest. */
    private String pushedBase(TinyRegistry registry, String architecture) {
        assertThat(run(
                        "--root-filesystem",
                        folder.resolve("root").toString(),
                        "--architecture",
                        architecture,
                        "--push",
                        registry.address() + "/team/base:" + architecture,
                        "--insecure-registry",
                        "true"))
                .as(err::toString)
                .isZero();
        return out.toString().lines().toList().getLast();
    }

    private static String index(Map<String, String> digests) {
        return """
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [%s]}
                """.formatted(digests.entrySet().stream()
                .map(each -> """
                        {"mediaType": "application/vnd.oci.image.manifest.v1+json", "size": 1, "digest": "%s",
                         "platform": {"architecture": "%s", "os": "linux"}}
                        """.formatted(each.getValue(), each.getKey()))
                .collect(Collectors.joining(",")));
    }

    @Test
    void aBaseMustHaveAllOfTheArchitectures() throws IOException {
        try (TinyRegistry registry = new TinyRegistry()) {
            String digest = pushedBase(registry, "amd64");
            registry.manifests.put("java", index(Map.of("amd64", digest)).getBytes(StandardCharsets.UTF_8));
            for (String base : List.of("java", "amd64")) {
                assertThat(run(
                                "--base",
                                registry.address() + "/team/base:" + base,
                                "--architecture",
                                "amd64",
                                "--architecture",
                                "arm64",
                                "--push",
                                registry.address() + "/team/operator:1",
                                "--insecure-registry",
                                "true"))
                        .isEqualTo(1);
            }
            assertThat(err.toString())
                    .contains(
                            "/team/base:java is a manifest list, but the list does not contain an image for architecture=arm64",
                            "/team/base:amd64' is not a manifest list");
            assertThat(registry.manifests).doesNotContainKey("1");
        }
    }

    @Test
    void aLayoutGoesIntoAFolderWhateverItsPathLooksLike() throws IOException {
        Path layout = folder.resolve("layout");
        String path = "./" + Path.of("").toAbsolutePath().relativize(folder) + "/root/../layout";
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--layout", path))
                .as(err::toString)
                .isZero();
        assertThat(entries(layout)).containsEntry("/app/operator.jar", "644 an operator");
    }

    @Test
    void anImageHasNoFilesOutsideOfItsFolder() throws IOException {
        Path image = folder.resolve("image.tar");
        try (var tar = new TarArchiveOutputStream(Files.newOutputStream(image))) {
            tar.putArchiveEntry(new TarArchiveEntry("../outside"));
            tar.closeArchiveEntry();
        }
        assertThatExceptionOfType(ImageException.class)
                .isThrownBy(() -> new LayoutFolder(folder.resolve("layout")).unpack(image))
                .withMessageContaining("../outside");
        assertThat(folder.resolve("outside")).doesNotExist();
    }

    @Test
    void filesOfARootFileSystemBelongToRoot() throws IOException {
        Path layout = folder.resolve("layout");
        assertThat(run("--root-filesystem", folder.resolve("root").toString(), "--layout", layout.toString()))
                .as(err::toString)
                .isZero();
        Path first = layout.resolve("blobs/sha256")
                .resolve(manifest(layout).at("/layers/0/digest").asString().replace("sha256:", ""));
        try (InputStream stream = new GZIPInputStream(Files.newInputStream(first));
                TarArchiveInputStream tar = new TarArchiveInputStream(stream)) {
            for (TarArchiveEntry each = tar.getNextEntry(); each != null; each = tar.getNextEntry()) {
                assertThat(each.getUserName() + each.getGroupName())
                        .as(each.getName())
                        .isEmpty();
                assertThat(List.of(each.getLongUserId(), each.getLongGroupId()))
                        .as(each.getName())
                        .containsOnly(0L);
            }
        }
    }

    @Test
    void aRootFileSystemThatIsNoTarIsRefused() throws IOException {
        Path layout = folder.resolve("layout");
        Path wrong = Files.writeString(folder.resolve("root.zip"), "PK" + "x".repeat(1000));
        assertThat(run("--root-filesystem", wrong.toString(), "--layout", layout.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("root.zip is neither a folder nor a tar, plain or compressed by gzip");
        Path compressed = folder.resolve("root.gz");
        try (var gzip = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            gzip.write(new byte[2000]);
        }
        assertThat(run("--root-filesystem", compressed.toString(), "--layout", layout.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("root.gz is neither");
        Path right = folder.resolve("root.tgz");
        try (var gzip = new GZIPOutputStream(Files.newOutputStream(right));
                var tar = new TarArchiveOutputStream(gzip)) {
            tar.putArchiveEntry(new TarArchiveEntry("etc/"));
            tar.closeArchiveEntry();
        }
        assertThat(run("--root-filesystem", right.toString(), "--layout", layout.toString()))
                .as(err::toString)
                .isZero();
        assertThat(entries(layout)).containsKey("/etc");
    }

    @Test
    void whatCannotBeMadeIsToldInWords() {
        assertThat(run("--tar", folder.resolve("x.tar").toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("an image needs a base: --base IMAGE, --base-tar FILE, or --root-filesystem PLACE");
        assertThat(run(
                        "--base-tar",
                        "/nowhere.tar",
                        "--tar",
                        folder.resolve("x.tar").toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("there is no image /nowhere.tar");
        assertThat(run("--base", "Not A Name", "--tar", folder.resolve("x.tar").toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("this is no name of an image: Not A Name");
        String root = folder.resolve("root").toString();
        assertThat(run(
                        "--root-filesystem",
                        root,
                        "--layout",
                        folder.resolve("app").toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("is neither empty nor an image");
        assertThat(run("--root-filesystem", root, "--push", "localhost:1/x", "--insecure-registry", "true"))
                .isEqualTo(1);
        assertThat(err.toString()).containsIgnoringCase("connect");
        for (List<String> options : List.of(
                List.of("--root-filesystem", root, "--push", "localhost:1/x"),
                List.of("--base", "x", "--tar", "x.tar"))) {
            List<String> all = new ArrayList<>(List.of("--architecture", "amd64", "--architecture", "arm64"));
            all.addAll(options);
            err.getBuffer().setLength(0);
            assertThat(run(all.toArray(String[]::new))).isEqualTo(1);
            assertThat(err.toString())
                    .contains("an image for several architectures needs --base IMAGE and --push IMAGE");
        }
        assertThat(folder.resolve("x.tar")).doesNotExist();
    }

    /** Without a network, it took a minute. */
    @Test
    void aRegistryThatIsNotThereIsToldAtOnce() {
        long began = System.nanoTime();
        assertThat(run(
                        "--base",
                        "registry.invalid/java:25",
                        "--tar",
                        folder.resolve("image.tar").toString()))
                .isEqualTo(1);
        assertThat(err.toString().strip())
                .startsWith(
                        "the registry registry.invalid is not found: there is no host registry.invalid, or no network");
        assertThat(err.toString()).containsOnlyOnce("is not found");
        assertThat(System.nanoTime() - began).isLessThan(10_000_000_000L);
    }
}
