package dev.kopf4j.cli.cluster;

import dev.kopf4j.cli.console.DevClusterConsole;
import dev.kopf4j.cli.console.RequestFeed;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.types.CustomResourceDefinitions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/** An embedded cluster with a kubeconfig on disk, for as long as a command runs. Used by the command's thread only. */
public final class RunningDevCluster implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningDevCluster.class);

    private static final String DEFINITION = "CustomResourceDefinition";

    private final DevCluster cluster;
    private final Path kubeconfig;
    private final boolean temporary;
    private final List<Path> furtherFiles = new ArrayList<>();
    private Optional<DevClusterConsole> console = Optional.empty();

    private RunningDevCluster(DevCluster cluster, Path kubeconfig, boolean temporary) {
        this.cluster = cluster;
        this.kubeconfig = kubeconfig;
        this.temporary = temporary;
    }

    /**
     * Starts a cluster over https. A kubeconfig is there when the cluster is ready, and not before: others wait for it.
     *
     * @param named the file for the kubeconfig; null for a temporary file, which is deleted at the end
     * @param preparation applies what is to be there when the cluster is ready, and opens its console
     */
    public static RunningDevCluster start(
            Options options, @Nullable Path named, Consumer<RunningDevCluster> preparation) {
        if (named != null) {
            refuseForeign(named, OwnKubeconfig.of(options));
        }
        var cluster = DevCluster.start(options.https(true));
        RunningDevCluster running;
        try {
            running = new RunningDevCluster(cluster, named == null ? temporaryFile() : named, named == null);
        } catch (IOException e) {
            cluster.close();
            throw new UncheckedIOException(
                    "Cannot make a temporary file for the kubeconfig in " + System.getProperty("java.io.tmpdir"), e);
        }
        try {
            if (named != null) {
                delete(named); // an earlier cluster's; not before this one has its port and its data folder for itself
            }
            preparation.accept(running);
            cluster.writeKubeconfig(running.kubeconfig());
            return running;
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }

    /**
     * Refuses a file that describes anything else, because it may have the only credentials of real clusters. An empty
     * one is nobody's.
     */
    private static void refuseForeign(Path kubeconfig, OwnKubeconfig own) {
        try {
            String text = Files.exists(kubeconfig) ? Files.readString(kubeconfig) : "";
            if (!text.isEmpty() && !own.describes(text)) {
                throw CommandException.usage("--kubeconfig " + kubeconfig + " is not the kubeconfig of an embedded"
                        + " cluster alone, and would be overwritten; name another file, or delete it.");
            }
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot read the kubeconfig " + kubeconfig + ": " + FileProblem.describe(kubeconfig, e));
        }
    }

    private static Path temporaryFile() throws IOException {
        return Files.createTempFile("kopf4j-", ".kubeconfig");
    }

    /** Writes a kubeconfig for another user than the administrator; it is deleted at the end. */
    public Path kubeconfigFor(String user, String... groups) {
        try {
            Path file = temporaryFile();
            furtherFiles.add(file);
            return Files.writeString(file, cluster.kubeconfig(user, groups));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write a temporary kubeconfig", e);
        }
    }

    public Path kubeconfig() {
        return kubeconfig.toAbsolutePath();
    }

    /** Returns the line to type in another terminal to use the cluster. */
    public String exportLine() {
        return "export KUBECONFIG=" + ShellWord.quote(kubeconfig().toString());
    }

    /**
     * Opens a page that shows the cluster, for as long as it runs; at most once.
     *
     * @param feed hears of the cluster's requests
     * @param port 0 for any free one
     * @return where the page is
     * @throws CommandException if the port cannot be listened at
     */
    public String openConsole(Platform platform, RequestFeed feed, int port) {
        try {
            var opened = new DevClusterConsole(platform, cluster, feed, port);
            console = Optional.of(opened);
            return opened.address();
        } catch (IOException e) {
            throw CommandException.failure("There is no console, as 127.0.0.1:" + port + " cannot be listened at: "
                    + e.getMessage() + ". Choose another port by --console=PORT, or 0 for any.");
        }
    }

    /**
     * Creates or updates the objects of manifests, custom resource definitions first.
     *
     * @throws CommandException if the cluster refuses one; the message says why
     */
    public void apply(ManifestFiles manifestFiles) {
        apply(manifestFiles, (_, _) -> true);
        tellLeftOut(manifestFiles);
    }

    /**
     * The same, but for objects in a version that the cluster does not store: until an operator converts them, the
     * server would take them for objects of the stored one, and drop the fields that this one does not know.
     *
     * @return applies those that were not applied before, and tells which of them the cluster refuses; thread-safe
     * @throws CommandException if the cluster refuses one of the others; the message says why
     */
    public Runnable applyStored(ManifestFiles manifestFiles) {
        apply(manifestFiles, (_, kind) -> kind.equals(DEFINITION));
        Set<String> converted = convertedKinds();
        Set<String> later = new TreeSet<>();
        apply(manifestFiles, (version, kind) -> {
            String name = kind + " of " + version;
            if (converted.contains(name)) {
                later.add(name);
            }
            return !kind.equals(DEFINITION) && !converted.contains(name);
        });
        tellLeftOut(manifestFiles);
        if (later.isEmpty()) {
            return () -> {};
        }
        log.info("{}: applied when the operator is ready, as it may have to convert them.", later);
        List<String> waiting = new ArrayList<>(DevCluster.objects(
                manifestFiles.documents(), (version, kind) -> converted.contains(kind + " of " + version)));
        return () -> {
            synchronized (waiting) {
                waiting.removeIf(object -> isApplied(object, manifestFiles));
            }
        };
    }

    private boolean isApplied(String object, ManifestFiles origin) {
        try {
            cluster.apply(object);
            return true;
        } catch (IllegalArgumentException e) {
            log.error(
                    "An object of the manifests {} was refused: {}; it is tried again when an operator is ready the next"
                            + " time, as with --reload.",
                    origin.files(),
                    e.getMessage());
            return false;
        }
    }

    private static void tellLeftOut(ManifestFiles manifestFiles) {
        manifestFiles
                .leftOut()
                .forEach(file -> log.atLevel(manifestFiles.found() ? Level.INFO : Level.WARN)
                        .log("{} is not applied: it has no Kubernetes objects.", file));
    }

    private void apply(ManifestFiles manifestFiles, BiPredicate<String, String> which) {
        if (manifestFiles.files().isEmpty()) {
            return;
        }
        try {
            if (manifestFiles.found()) {
                cluster.applyKnown(manifestFiles.documents(), which)
                        .forEach(left -> log.warn("Left out of the files beside the source: {}.", left));
            } else {
                cluster.apply(manifestFiles.documents(), which);
            }
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("The manifests " + manifestFiles.files() + " were refused: " + e.getMessage());
        }
    }

    /** The kinds in the versions that are not stored. */
    private Set<String> convertedKinds() {
        Map<String, String> headers = Map.of("Authorization", "Bearer " + cluster.token());
        var answer = cluster.handle(
                ApiRequest.of("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", headers, new byte[0]));
        var read = new ByteArrayOutputStream();
        if (answer.body() instanceof ApiResponse.Whole(byte[] bytes)) {
            read.writeBytes(bytes);
        } else if (answer.body() instanceof ApiResponse.Pieces(Iterable<byte[]> pieces)) {
            pieces.forEach(read::writeBytes);
        }
        Set<String> converted = new HashSet<>();
        for (JsonNode definition : Json.parse(read.toByteArray()).path("items")) {
            JsonNode spec = definition.path("spec");
            for (JsonNode version : spec.path("versions")) {
                if (!version.path("storage").asBoolean(false)) {
                    converted.add(spec.at("/names/kind").asString("") + " of "
                            + spec.path("group").asString("") + "/"
                            + version.path("name").asString(""));
                }
            }
        }
        return converted;
    }

    /**
     * Creates or updates objects, given as YAML.
     *
     * @throws IllegalArgumentException if the cluster refuses one; the message says why
     */
    public void apply(String manifests) {
        cluster.apply(manifests);
    }

    /**
     * Creates or updates custom resource definitions that were made of types.
     *
     * @throws CommandException if the cluster refuses one; the message says why
     */
    public void apply(List<Map<String, Object>> definitions) {
        if (definitions.isEmpty()) {
            return;
        }
        try {
            cluster.apply(CustomResourceDefinitions.yaml(definitions));
        } catch (IllegalArgumentException e) {
            throw CommandException.sources(
                    "The definitions of the types were refused: " + e.getMessage() + "; `kopf4j crd` prints them.");
        }
    }

    @Override
    public void close() {
        try {
            console.ifPresent(DevClusterConsole::close);
            cluster.close();
        } finally { // the files have tokens
            if (temporary) {
                delete(kubeconfig);
            }
            furtherFiles.forEach(RunningDevCluster::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("Cannot delete {}: {}", file, FileProblem.describe(file, e));
        }
    }
}
