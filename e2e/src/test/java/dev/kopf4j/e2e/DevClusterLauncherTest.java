package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.launcher.DevClusterExtension;
import dev.kopf4j.devcluster.launcher.DevClusterProcess;
import dev.kopf4j.devcluster.launcher.LaunchOptions;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The dev cluster as a process, by the library for programs of Java 17. */
class DevClusterLauncherTest {
    private static final Path DISTRIBUTION =
            Path.of("../cli/target/kopf4j").toAbsolutePath().normalize();

    /** The jar: the distribution's own program would make its start-up cache beside the tests. */
    private static final Path JAR = jar();

    private static final LaunchOptions OPTIONS = LaunchOptions.defaults().program(JAR);

    @RegisterExtension
    static final DevClusterExtension CLUSTER = new DevClusterExtension(OPTIONS.arguments("--workloads", "0.1"));

    @TempDir
    private Path folder;

    @Test
    void aTestGetsAClusterThatAnyClientUses(DevClusterProcess cluster) {
        assertThat(cluster).isSameAs(CLUSTER.cluster());
        try (KubernetesClient client = client(cluster)) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .create();
            assertThat(client.configMaps().inNamespace("default").withName("a").get())
                    .isNotNull();
            assertThat(client.nodes().list().getItems()).hasSize(1);
        }
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(DISTRIBUTION.resolve("lib"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("kopf4j-cli-"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KubernetesClient client(DevClusterProcess cluster) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(cluster.kubeconfigText()))
                .build();
    }

    @Test
    void aJarIsRunByAJavaThatIsFoundAndEndsWhenItIsClosed() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        DevClusterProcess cluster = DevClusterProcess.start(OPTIONS);
        assertThat(cluster.url()).startsWith("https://127.0.0.1:");
        assertThat(cluster.token()).hasSizeGreaterThan(20);
        assertThat(cluster.certificateAuthorityData()).hasSizeGreaterThan(100);
        DevClusterProcess attached = DevClusterProcess.attach(cluster.kubeconfig());
        attached.close();
        assertThat(attached.isRunning()).isTrue();
        assertThat(cluster.isRunning()).isTrue();
        cluster.close();
        assertThat(cluster.isRunning()).isFalse();
        assertThat(cluster.kubeconfig()).doesNotExist();
        assertThat(ProcessHandle.current().descendants().filter(each -> !before.contains(each)))
                .allMatch(each -> !each.info().commandLine().orElse("").contains(JAR.toString()));
    }

    @Test
    void aClientFindsTheGroupsOfTheVersionThatWasChosen() {
        DevClusterProcess cluster = DevClusterProcess.start(
                OPTIONS.arguments("--kubernetes-version", "1.31", "--runtime-config", "networking.k8s.io/v1beta1"));
        try (KubernetesClient client = client(cluster)) {
            assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("31");
            assertThat(client.getApiResources("networking.k8s.io/v1").getResources())
                    .noneMatch(resource -> resource.getName().equals("servicecidrs"));
            assertThat(client.getApiResources("networking.k8s.io/v1beta1").getResources())
                    .anyMatch(resource -> resource.getName().equals("servicecidrs"));
            assertThat(client.flowControl().v1beta3().flowSchema().list().getItems())
                    .hasSameSizeAs(client.flowControl().v1().flowSchema().list().getItems());
        } finally {
            cluster.close();
        }
    }

    @Test
    void whatItDoesNotTakeIsToldWithItsWords() {
        assertThatThrownBy(() -> DevClusterProcess.start(OPTIONS.arguments("--nodes", "3")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended with code 2")
                .hasMessageContaining("add --workloads");
    }

    @Test
    void itEndsWithTheProcessThatHasStartedItHoweverThatEnds() throws Exception {
        Path source = Files.writeString(folder.resolve("Starter.java"), """
                import dev.kopf4j.devcluster.launcher.*;
                class Starter {
                    public static void main(String[] arguments) throws Exception {
                        var cluster = DevClusterProcess.start(LaunchOptions.defaults().program(java.nio.file.Path.of(arguments[0])));
                        System.out.println(cluster.url());
                        System.in.read();
                    }
                }
                """);
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        launcherClasses(),
                        source.toString(),
                        JAR.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = starter.inputReader(StandardCharsets.UTF_8)) {
            assertThat(URI.create(out.readLine()).getPort()).isPositive();
            List<ProcessHandle> clusters = starter.descendants().toList();
            assertThat(clusters).isNotEmpty();
            starter.destroyForcibly();
            for (ProcessHandle cluster : clusters) {
                cluster.onExit().get(Kopf4j.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            starter.destroyForcibly();
        }
    }

    private static String launcherClasses() throws IOException {
        return Path.of(URI.create(DevClusterProcess.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }
}
