package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image of {@code kopf4j image} runs as the manifests of {@code kopf4j manifests} say: its entry point, the
 * Deployment's arguments, the account's rights. That of a root file system, with a Java runtime of its own, is run by
 * {@code e2e/newcomer}.
 */
@EnabledOnOs(OS.LINUX)
class ImageEntryPointTest {
    private static final String SOURCE = "examples/01-minimal/Example.java";
    private static final String ACCOUNT = "system:serviceaccount:example:example";
    private static final String OBJECT = """
            {apiVersion: kopf.dev/v1, kind: KopfExample, metadata: {name: one}, spec: {duration: 1m}}
            """;

    @TempDir
    private Path folder;

    @Test
    @Tag("P64")
    void theImageRunsAsTheManifestsSayWithExactlyTheGeneratedRights() throws Exception {
        UnpackedImage image = image();
        try (DevCluster cluster =
                DevCluster.start(Options.defaults().https(true).rbac(true))) {
            cluster.apply(kopf4j("manifests", SOURCE));
            Files.writeString(
                    image.files().resolve("etc/kubeconfig"),
                    cluster.kubeconfig(ACCOUNT, "system:serviceaccounts", "system:serviceaccounts:example"));
            List<String> arguments = deployed(cluster);
            assertThat(arguments.getLast())
                    .isEqualTo("/app/operator.jar")
                    .isEqualTo(image.arguments().getLast());
            try (RunningProgram operator =
                    Container.best(folder).start(image, image.command(arguments), "/etc/kubeconfig")) {
                operator.awaitLog("The operator is ready", Kopf4j.PATIENCE);
                cluster.apply(OBJECT);
                operator.awaitLog("Handler 'createFn' succeeded", Kopf4j.PATIENCE);
                operator.terminate();
                assertThat(operator.awaitExit(Kopf4j.PATIENCE))
                        .as("%s", operator)
                        .isZero();
                assertThat(operator.errors()).doesNotContain("lacks rights").doesNotContain("forbidden");
            }
        }
    }

    private static String kopf4j(String... arguments) {
        try (RunningProgram program = Kopf4j.start(arguments)) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
            return program.output();
        }
    }

    private static List<String> deployed(DevCluster cluster) {
        Config config = Config.fromKubeconfig(cluster.kubeconfig());
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            List<String> arguments = client.apps()
                    .deployments()
                    .inNamespace("example")
                    .withName("example")
                    .get()
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .getFirst()
                    .getArgs();
            // Another test may have the port.
            return arguments.stream()
                    .map(each -> each.replace("0.0.0.0:8080", "127.0.0.1:0"))
                    .toList();
        }
    }

    /** On a base whose Java is that of this machine. */
    private UnpackedImage image() throws Exception {
        Path layout = folder.resolve("layout");
        kopf4j("image", "--base-tar", base().toString(), "--layout", layout.toString(), SOURCE);
        return UnpackedImage.of(layout, folder.resolve("files"));
    }

    /** An image of empty folders, in the form of {@code docker save}. */
    private Path base() throws Exception {
        Path root = folder.resolve("root");
        Files.createDirectories(root.resolve("etc"));
        for (String name : Container.MOUNTED) {
            Files.createDirectories(root.resolve(name));
        }
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Path layer = parts.resolve("layer.tar");
        Programs.run(Map.of(), "tar", "-cf", layer.toString(), "-C", root.toString(), ".");
        Files.writeString(parts.resolve("config.json"), """
                {"architecture": "amd64", "os": "linux", "config": {},
                 "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
                """.formatted(digest(layer)));
        Files.writeString(parts.resolve("manifest.json"), """
                [{"Config": "config.json", "RepoTags": ["base:1"], "Layers": ["layer.tar"]}]
                """);
        Path base = folder.resolve("base.tar");
        Programs.run(
                Map.of(),
                "tar",
                "-cf",
                base.toString(),
                "-C",
                parts.toString(),
                "manifest.json",
                "config.json",
                "layer.tar");
        return base;
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
