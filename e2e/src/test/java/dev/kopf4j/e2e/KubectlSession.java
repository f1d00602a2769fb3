package dev.kopf4j.e2e;

import static org.awaitility.Awaitility.await;

import dev.kopf4j.devcluster.DevCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;

/**
 * A recorded session of kubectl, typed again at another cluster. {@code ${p}} in it stands for a prefix that is this
 * session's own. Confined to one thread.
 */
final class KubectlSession implements AutoCloseable {

    private final JsonNode session;
    private final DevCluster cluster;
    private final LongSupplier watches;
    private final String prefix;
    private final Path folder;
    private final Path kubeconfig;
    private final KubectlText text;
    private final Map<String, Started> background = new HashMap<>();

    private record Started(Process process, JsonNode command, Path out, Path err) {}

    /** With how many watches the cluster has begun until now. */
    KubectlSession(
            JsonNode session, DevCluster cluster, LongSupplier watches, String prefix, Path folder, Path kubeconfig) {
        this.session = session;
        this.cluster = cluster;
        this.watches = watches;
        this.prefix = prefix;
        this.folder = folder;
        this.kubeconfig = kubeconfig;
        this.text = new KubectlText(Map.of(folder.toString(), "${dir}", cluster.url(), "${server}", prefix, "${p}"));
    }

    /** Makes what the session begins with. */
    void setUp() throws IOException {
        JsonNode setup = session.path("setup");
        for (JsonNode namespace : setup.path("namespaces")) {
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + own(namespace.stringValue()) + "}}");
        }
        for (JsonNode definition : setup.path("crds")) {
            cluster.apply(own(definition.toString()));
        }
        for (Map.Entry<String, JsonNode> file : session.path("files").properties()) {
            Files.writeString(folder.resolve(file.getKey()), own(file.getValue().stringValue()));
        }
    }

    private String own(String recorded) {
        return recorded.replace("${p}", prefix);
    }

    /** Types all commands; each difference from what was recorded is told. */
    void replay(Consumer<String> difference) throws IOException, InterruptedException {
        for (JsonNode command : session.path("commands")) {
            if (command.path("background").booleanValue(false)) {
                long before = watches.getAsLong();
                background.put(command.get("id").stringValue(), start(command));
                await("kubectl watches").atMost(Kopf4j.PATIENCE).until(() -> watches.getAsLong() > before);
            } else {
                repeat(command, difference);
            }
        }
    }

    private void repeat(JsonNode command, Consumer<String> difference) throws IOException, InterruptedException {
        long end = System.nanoTime()
                + TimeUnit.SECONDS.toNanos(command.path("retry").longValue(0));
        String differs = differs(command);
        while (!differs.isEmpty() && System.nanoTime() < end) {
            differs = differs(command);
        }
        if (!differs.isEmpty()) {
            difference.accept(differs);
        }
    }

    private String differs(JsonNode command) throws IOException, InterruptedException {
        JsonNode join = command.path("join");
        Started started = join.isString() ? background.remove(join.stringValue()) : start(command);
        boolean ended = started.process().waitFor(Kopf4j.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        started.process().destroyForcibly();
        JsonNode expected = command.path("expect");
        if (expected.isMissingNode()) {
            return "";
        }
        String exit = ended ? String.valueOf(started.process().exitValue()) : "none, as it did not end";
        List<String> differences = new ArrayList<>();
        compare("the exit code", expected.get("exit").asString(), exit, differences);
        compare("stdout", expected.get("stdout").stringValue(), read(started.out(), started), differences);
        compare("stderr", expected.get("stderr").stringValue(), read(started.err(), started), differences);
        return differences.isEmpty()
                ? ""
                : session.get("name").stringValue() + "/"
                        + command.get("id").stringValue() + ": " + command.path("args") + "\n"
                        + String.join("\n", differences);
    }

    private static void compare(String what, String expected, String got, List<String> differences) {
        if (!expected.equals(got)) {
            differences.add(what + " was recorded as:\n" + expected + "\nbut is:\n" + got);
        }
    }

    private String read(Path file, Started started) throws IOException {
        return text.comparable(Files.readString(file), started.command());
    }

    private Started start(JsonNode command) throws IOException {
        List<String> words = new ArrayList<>(List.of(KubectlProgram.path().toString()));
        command.path("args").forEach(word -> words.add(own(word.stringValue())));
        Path in = Files.createTempFile(folder, "in", "");
        Files.writeString(in, own(command.path("stdin").stringValue("")), StandardCharsets.UTF_8);
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        Map<String, String> environment = builder.environment();
        List.of("KUBECACHEDIR", "KUBERC", "KUBECTL_EXTERNAL_DIFF", "KUBE_EDITOR", "EDITOR")
                .forEach(environment::remove);
        environment.putAll(Map.of(
                "HOME", folder.toString(),
                "KUBECONFIG", kubeconfig.toString(),
                "LC_ALL", "C",
                "TZ", "UTC",
                "TERM", "dumb",
                "COLUMNS", "200"));
        environment.putAll(Kubectl.SHORT_LIVED);
        command.path("env")
                .properties()
                .forEach(variable -> environment.put(
                        variable.getKey(), own(variable.getValue().stringValue())));
        return new Started(builder.start(), command, out, err);
    }

    @Override
    public void close() {
        background.values().forEach(started -> started.process().destroyForcibly());
    }
}
