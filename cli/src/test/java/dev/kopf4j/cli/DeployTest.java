package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.WebhookServices;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The manifests that are shipped: they are accepted, and an operator does its work with exactly these rights. */
class DeployTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DEPLOY = ROOT.resolve("deploy");
    private static final String ACCOUNT = "/api/v1/namespaces/kopf4j/serviceaccounts/kopf4j-operator/token";

    private final HttpClient client = HttpClient.newHttpClient();

    /** What needs each of the rights. */
    static final class Handlers {
        @OnCreate("kopfexamples")
        Map<String, String> createFn() {
            Kopf.info("Created", "by rights");
            return Map.of("message", "hello");
        }

        @OnDelete("kopfexamples")
        void deleteFn() {}
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }

    private JsonNode send(DevCluster cluster, String token, String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return JsonMapper.shared()
                .readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    @Test
    @Tag("L18")
    @Tag("L19")
    @Tag("L20")
    void operatorWorksWithExactlyTheseRights() throws Exception {
        var rights = operateWithTheShippedRights(builder -> builder);
        assertThat(rights)
                .contains("customresourcedefinitions", "clusterkopfpeerings", "kopfexamples", "/status", "events");
    }

    @Test
    @Tag("L19")
    void peeringsAreOfBothScopesAndKeepAnyRecord() throws Exception {
        try (DevCluster cluster = DevCluster.start(Options.defaults().https(false))) {
            cluster.apply(text(DEPLOY.resolve("peering-types.yaml")));
            cluster.apply(text(DEPLOY.resolve("peering.yaml")));
            for (String plural : List.of("clusterkopfpeerings", "kopfpeerings")) {
                boolean clustered = plural.startsWith("cluster");
                JsonNode definition = send(
                        cluster,
                        cluster.token(),
                        "GET",
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + ".kopf.dev",
                        "");
                assertThat(definition.at("/spec/scope").asString()).isEqualTo(clustered ? "Cluster" : "Namespaced");
                assertThat(definition.at("/spec/names/kind").asString())
                        .isEqualTo(clustered ? "ClusterKopfPeering" : "KopfPeering");
                assertThat(definition.at("/spec/versions").size()).isEqualTo(1);
                assertThat(definition.at("/spec/versions/0/name").asString()).isEqualTo("v1");
                assertThat(definition.at("/spec/versions/0/subresources").isMissingNode())
                        .isTrue();
                String object = "/apis/kopf.dev/v1/" + (clustered ? "" : "namespaces/default/") + plural + "/default";
                JsonNode shipped = send(cluster, cluster.token(), "GET", object, "");
                assertThat(shipped.at("/metadata/name").asString()).isEqualTo("default");
                ((ObjectNode) shipped).putObject("status").putObject("me").put("priority", 1);
                assertThat(send(cluster, cluster.token(), "PUT", object, shipped.toString())
                                .at("/status/me/priority")
                                .asInt())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("L20")
    void theExampleHasAllItsNamesItsStatusAndItsColumns() throws Exception {
        try (DevCluster cluster = DevCluster.start(Options.defaults().https(false))) {
            cluster.apply(text(ROOT.resolve("examples/01-minimal/crd.yaml")));
            cluster.apply(text(ROOT.resolve("examples/01-minimal/obj.yaml")));
            JsonNode served = send(cluster, cluster.token(), "GET", "/apis/kopf.dev/v1", "")
                    .path("resources");
            assertThat(served.findValuesAsString("name")).contains("kopfexamples", "kopfexamples/status");
            JsonNode resource = served.valueStream()
                    .filter(each -> each.path("name").asString().equals("kopfexamples"))
                    .findFirst()
                    .orElseThrow();
            assertThat(resource.path("kind").asString()).isEqualTo("KopfExample");
            assertThat(resource.path("singularName").asString()).isEqualTo("kopfexample");
            assertThat(resource.path("shortNames").valueStream().map(JsonNode::asString))
                    .containsExactly("kopfexes", "kopfex", "kexes", "kex");
            String object = "/apis/kopf.dev/v1/namespaces/default/kopfexamples/kopf-example-1";
            JsonNode table = table(cluster, object);
            assertThat(table.path("columnDefinitions").findValuesAsString("name"))
                    .containsExactly("Name", "Duration", "Result", "Children", "Message");
            assertThat(table.at("/rows/0/cells/0").asString()).isEqualTo("kopf-example-1");
            assertThat(table.at("/rows/0/cells/1").asString()).isEqualTo("1m");
        }
    }

    private JsonNode table(DevCluster cluster, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Authorization", "Bearer " + cluster.token())
                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                .build();
        return JsonMapper.shared()
                .readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    @Test
    @Tag("L18")
    void leaderWorksWithExactlyTheseRights() throws Exception {
        var rights = operateWithTheShippedRights(builder -> builder.settings(
                settings -> settings.leaderElection().enabled(true).leaseNamespace("kopf4j")));
        assertThat(rights).contains("/namespaces/kopf4j/leases", "kopfexamples", "/status");
    }

    @Test
    @Tag("J31")
    void webhooksWorkWithExactlyTheseRights() throws Exception {
        int port = freePort();
        var rights = operateWithTheShippedRights(
                builder -> builder.onValidate("kopfexamples", "check", context -> null)
                        .settings(settings -> settings.admission()
                                .managed("auto.kopf.dev")
                                .server(WebhookServer.local()
                                        .address("127.0.0.1")
                                        .port(port)
                                        .service("kopf4j", "kopf4j-webhooks", 443)
                                        .authority(WebhookAuthority.inSecret("kopf4j", "kopf4j-webhooks")))),
                WebhookServices.of(Map.of("kopf4j/kopf4j-webhooks", port)));
        assertThat(rights).contains("POST /api/v1/namespaces/kopf4j/secrets", "validatingwebhookconfigurations");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private String operateWithTheShippedRights(UnaryOperator<OperatorBuilder> options) throws Exception {
        return operateWithTheShippedRights(options, WebhookServices.of(Map.of()));
    }

    /** The requests that were made, none of which was refused. */
    private String operateWithTheShippedRights(UnaryOperator<OperatorBuilder> options, WebhookServices services)
            throws Exception {
        var requests = new ConcurrentLinkedQueue<String>();
        try (DevCluster cluster = DevCluster.start(Options.defaults()
                .https(false)
                .rbac(true)
                .requestLog(requests::add)
                .webhookServices(services))) {
            cluster.apply(text(ROOT.resolve("examples/01-minimal/crd.yaml")));
            cluster.apply(text(DEPLOY.resolve("peering-types.yaml")));
            cluster.apply(text(DEPLOY.resolve("peering.yaml")));
            cluster.apply(text(DEPLOY.resolve("rbac.yaml")));
            cluster.apply(text(DEPLOY.resolve("webhooks.yaml")));
            String token = send(cluster, cluster.token(), "POST", ACCOUNT, "{\"spec\":{}}")
                    .at("/status/token")
                    .asString();
            assertThat(send(cluster, token, "GET", "/api/v1/secrets", "")
                            .path("code")
                            .asInt())
                    .as("RBAC is on")
                    .isEqualTo(403);
            requests.clear();
            operate(cluster, token, options);
            assertThat(requests).as("requests refused").noneMatch(line -> line.endsWith(" 403"));
            return String.join("\n", requests);
        }
    }

    private void operate(DevCluster cluster, String token, UnaryOperator<OperatorBuilder> options) throws Exception {
        String objects = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";
        Operator operator = options.apply(Operator.builder()
                        .handlers(new Handlers())
                        .clusterwide()
                        .connection(ConnectionInfo.builder(cluster.url())
                                .token(token)
                                .build()))
                .build();
        try (var handle = operator.start()) {
            assertThat(handle.awaitReady(Duration.ofSeconds(30))).isTrue();
            cluster.apply(text(ROOT.resolve("examples/01-minimal/obj.yaml")));
            String object = objects + "/kopf-example-1";
            await(() -> send(cluster, cluster.token(), "GET", object, "")
                    .at("/status/createFn/message")
                    .asString("")
                    .equals("hello"));
            await(() -> send(cluster, cluster.token(), "GET", "/api/v1/namespaces/default/events", "")
                    .toString()
                    .contains("by rights"));
            await(() -> !send(cluster, cluster.token(), "GET", "/apis/kopf.dev/v1/clusterkopfpeerings/default", "")
                    .path("status")
                    .isEmpty());
            send(cluster, cluster.token(), "DELETE", object, "");
            await(() -> send(cluster, cluster.token(), "GET", object, "")
                            .path("code")
                            .asInt(0)
                    == 404);
        }
    }

    /** A condition that asks a server. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(until);
            Thread.sleep(50);
        }
    }

    private static List<Map<?, ?>> documents(Path file) throws IOException {
        var load = new Load(LoadSettings.builder().build());
        return StreamSupport.stream(load.loadAllFromString(text(file)).spliterator(), false)
                .<Map<?, ?>>map(document -> (Map<?, ?>) document)
                .toList();
    }

    @Test
    @Tag("L56")
    void deploymentIsAcceptedAndRunsOneReplicaWithProbes() throws Exception {
        try (DevCluster cluster = DevCluster.start(Options.defaults().https(false))) {
            cluster.apply(text(DEPLOY.resolve("rbac.yaml")));
            cluster.apply(text(DEPLOY.resolve("deployment.yaml")));
            JsonNode deployment = send(
                    cluster, cluster.token(), "GET", "/apis/apps/v1/namespaces/kopf4j/deployments/kopf4j-operator", "");
            assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(1);
            assertThat(deployment.at("/spec/strategy/type").asString()).isEqualTo("Recreate");
            JsonNode pod = deployment.at("/spec/template/spec");
            assertThat(pod.path("serviceAccountName").asString()).isEqualTo("kopf4j-operator");
            assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(60);
            JsonNode container = pod.at("/containers/0");
            assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/healthz");
            assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/ready");
            assertArgumentsAreOptions(container.path("args"));
        }
    }

    /** The command line takes the arguments: what is missing is only the source file of the image. */
    private static void assertArgumentsAreOptions(JsonNode arguments) {
        String[] given = StreamSupport.stream(arguments.spliterator(), false)
                .map(argument -> argument.asString().replace("json", "full")) // JSON would go to the log
                .toArray(String[]::new);
        assertThat(CommandRun.of(given).err()).contains("Cannot read the source file /app/Operator.java: there is no");
    }

    @Test
    void eachFileIsYamlOfKubernetesObjects() throws IOException {
        for (String file :
                List.of("peering-types.yaml", "peering.yaml", "rbac.yaml", "webhooks.yaml", "deployment.yaml")) {
            assertThat(documents(DEPLOY.resolve(file)))
                    .as(file)
                    .isNotEmpty()
                    .allSatisfy(
                            document -> assertThat(document.keySet().stream().map(String::valueOf))
                                    .contains("apiVersion", "kind", "metadata"));
        }
    }

    @Test
    @Tag("L57")
    @Tag("K20")
    void containerRunsWhatLiesInItsFolderAndAnythingElseOnDemand() throws Exception {
        Path folder = Files.createTempDirectory("entrypoint");
        Path program = Files.writeString(folder.resolve("kopf4j"), "#!/bin/sh\necho \"$$ kopf4j $*\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(entrypoint(folder)).startsWith("There is neither " + folder + "/Operator.java nor");
        assertThat(entrypoint(folder, "version")).isEqualTo("kopf4j version\n");
        Files.createFile(folder.resolve("operator.jar"));
        assertThat(entrypoint(folder)).isEqualTo("kopf4j run --verbose " + folder + "/operator.jar\n");
        Files.createFile(folder.resolve("Operator.java"));
        assertThat(entrypoint(folder)).isEqualTo("kopf4j run --verbose " + folder + "/Operator.java\n");
    }

    private static String entrypoint(Path folder, String... arguments) throws Exception {
        var command = new java.util.ArrayList<>(
                List.of("sh", DEPLOY.resolve("entrypoint").toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KOPF4J_APP", folder.toString());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        int expected = said.startsWith("There is neither") ? 2 : 0;
        assertThat(process.waitFor()).isEqualTo(expected);
        String itself = process.pid() + " ";
        assertThat(said)
                .as("the same process, which gets the signals")
                .matches("(?s)There is neither.*|" + itself + ".*");
        return said.replaceFirst("^" + itself, "");
    }

    @Test
    @Tag("L57")
    @Tag("K20")
    void theProgramBecomesTheJvm(@TempDir Path home) throws Exception {
        Path jdk = home.resolve("jdk");
        Files.createDirectories(jdk.resolve("bin"));
        for (String tool : List.of("java", "javac")) {
            Path file = Files.writeString(jdk.resolve("bin/" + tool), "#!/bin/sh\necho \"$$ $*\"\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        Files.createFile(Files.createDirectories(home.resolve("lib")).resolve("kopf4j-cli-1.jar"));
        Path bin = Files.createDirectories(home.resolve("bin"));
        Files.copy(ROOT.resolve("bin/find-jdk"), bin.resolve("find-jdk"), StandardCopyOption.COPY_ATTRIBUTES);
        Path program = Files.copy(ROOT.resolve("cli/src/main/dist/bin/kopf4j"), bin.resolve("kopf4j"));
        var builder = new ProcessBuilder("sh", program.toString(), "run", "Example.java").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("KOPF4J_CACHE", "off");
        Process process = builder.start();
        assertThat(process.inputReader().readLine())
                .startsWith(process.pid() + " ")
                .endsWith("-jar " + home.toRealPath() + "/lib/kopf4j-cli-1.jar run Example.java");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void imageRunsAsAnybodyButRootAndWithAStartUpCache() throws IOException {
        String dockerfile = text(DEPLOY.resolve("Dockerfile"));
        assertThat(dockerfile.substring(dockerfile.lastIndexOf("FROM "))).contains("LANG=C.UTF-8");
        assertThat(dockerfile)
                .contains(
                        "USER 65532", "kopf4j warm-up", "jdk.compiler", "ENTRYPOINT [\"/opt/kopf4j/bin/entrypoint\"]");
    }
}
