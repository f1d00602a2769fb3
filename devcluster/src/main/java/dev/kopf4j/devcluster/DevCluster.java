package dev.kopf4j.devcluster;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.certificate.TlsCertificates;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.file.SecretFile;
import dev.kopf4j.devcluster.http.HttpFrontend;
import dev.kopf4j.devcluster.journal.DataFolder;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An embedded Kubernetes API server, on loopback unless its options say otherwise. Thread-safe.
 *
 * <p>{@code try (DevCluster cluster = DevCluster.start()) { ... }} — everything is in memory and gone with
 * {@link #close}, unless the options name a data folder.
 */
public final class DevCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DevCluster.class);
    private static final String TOKEN = "token";
    /** Somebody may have written another one than ours. */
    private static final Pattern USABLE_TOKEN = Pattern.compile("[!-~]+");

    private final ApiServer server;
    private final SystemTaskScheduler tasks;
    private final Optional<ManualTime> manualTime;
    private final HttpFrontend frontend;
    private final String host;
    private final String token;

    private DevCluster(Options options, Optional<DataFolder> data) {
        if (!options.address().isLoopbackAddress() && !(options.https() && options.authentication())) {
            throw new IllegalArgumentException("at " + options.address().getHostAddress()
                    + " the cluster can be reached from elsewhere, and needs TLS and credentials");
        }
        host = options.names().isEmpty() ? "127.0.0.1" : options.names().getFirst();
        token = options.data().map(DevCluster::keptToken).orElseGet(DevCluster::newToken);
        tasks = new SystemTaskScheduler();
        manualTime = options.manualClock().map(start -> new ManualTime(tasks, start));
        frontend = HttpFrontend.bind(
                options.address(),
                options.port(),
                options.https()
                        ? Optional.of(() -> TlsCertificates.of(options.data(), options.names()))
                        : Optional.empty(),
                options.requestLog());
        try {
            server = serving(manualTime
                    .map(time ->
                            new ApiServer(options.clock(time), data, time, token, frontend::authority, frontend.port()))
                    .orElseGet(() -> new ApiServer(options, data, tasks, token, frontend::authority, frontend.port())));
        } catch (RuntimeException e) {
            frontend.close();
            tasks.close();
            throw e;
        }
    }

    private ApiServer serving(ApiServer made) {
        try {
            frontend.start(made::handle);
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** The token that a folder keeps; a new one if it is missing or damaged. */
    private static String keptToken(Path folder) {
        String kept = SecretFile.readOrCreate(folder, TOKEN, DevCluster::newToken);
        if (USABLE_TOKEN.matcher(kept).matches()) {
            return kept;
        }
        LOG.atWarn()
                .addKeyValue("folder", folder)
                .log("the administrator's token in the data folder is damaged, as by a loss of power, and is replaced:"
                        + " clients need the new kubeconfig");
        return SecretFile.replace(folder, TOKEN, newToken());
    }

    private static String newToken() {
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /**
     * Starts to make certificates in the background, because they take longest when a cluster with TLS starts: for
     * programs that have other work to do first. May be called from any thread; a second call does nothing.
     */
    public static void prepare() {
        TlsCertificates.prepare();
    }

    /** Starts a cluster on a free port of loopback, over plain HTTP. */
    public static DevCluster start() {
        return start(Options.defaults());
    }

    /** Starts a cluster with these options; it is listening when this method returns. */
    public static DevCluster start(Options options) {
        // First of all: who does not get the folder must not change what another cluster has there.
        Optional<DataFolder> data = options.data().map(DataFolder::open);
        DevCluster cluster;
        try {
            cluster = new DevCluster(options, data);
        } catch (RuntimeException e) {
            data.ifPresent(DataFolder::close);
            throw e;
        }
        try {
            options.kubeconfigFile().ifPresent(cluster::writeKubeconfig);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** The URL of the cluster, without a trailing slash. */
    public String url() {
        return (authority().isEmpty() ? "http" : "https") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + frontend.port();
    }

    /** The bearer token of the cluster's administrator. */
    public String token() {
        return token;
    }

    /** A kubeconfig for the administrator, as YAML. */
    public String kubeconfig() {
        return new Kubeconfig(url(), authority()).withToken(token);
    }

    /**
     * Makes a client certificate for a user and groups, and returns a kubeconfig with it, as YAML. RBAC decides what
     * the user may do, if it is on.
     *
     * @throws IllegalStateException without TLS, as client certificates need it
     */
    public String kubeconfig(String user, String... groups) {
        String certificateAndKey = frontend.clientCertificate(user, List.of(groups))
                .orElseThrow(() -> new IllegalStateException(
                        "client certificates need TLS: start the cluster with Options.https(true)"));
        return new Kubeconfig(url(), authority()).withCertificate(certificateAndKey);
    }

    /** The certificate of the cluster's authority, as PEM; empty without TLS. */
    public String authority() {
        return frontend.authority().map(CertificateAuthority::certificatePem).orElse("");
    }

    /** Writes the kubeconfig of the administrator to a file that only its owner can read. */
    public void writeKubeconfig(Path file) {
        Kubeconfig.write(kubeconfig(), file);
    }

    /** Answers a request without a socket. */
    public ApiResponse handle(ApiRequest request) {
        return server.handle(request);
    }

    /**
     * Answers a request without a socket, and as if there were no faults; {@link Options#requestListener} does not hear
     * of it. So somebody can look at the cluster without changing what its clients see.
     */
    public ApiResponse look(ApiRequest request) {
        return server.look(request);
    }

    /** Forgets all versions but the present ones, as a compaction of etcd does: watches from older versions get 410. */
    public void compact() {
        server.compact();
    }

    /**
     * Moves the cluster's clock on. What becomes due meanwhile has happened when this method returns, each thing at its
     * time and in its order: pods that become ready, schedules, deadlines, tokens that expire. Any thread may call it,
     * but one at a time. While a webhook is asked, the clock stands still: at most as long as its configuration allows,
     * if an {@link Options#webhookCaller} keeps to the timeout that it is given.
     *
     * @throws IllegalStateException if the options have no {@link Options#manualClock}
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration duration) {
        manualTime
                .orElseThrow(() -> new IllegalStateException(
                        "the cluster follows the system's clock: start it with Options.manualClock(...) to move it"))
                .advance(duration);
    }

    /**
     * Creates or updates objects, given as JSON or as YAML of one or more documents; custom resource definitions and
     * namespaces come first.
     *
     * @throws IllegalArgumentException if the server refuses an object, with its message
     */
    public void apply(String manifests) {
        ManifestReader.read(manifests).forEach(this::apply);
    }

    /**
     * Like {@link #apply}, but leaves out the objects of kinds that the cluster does not serve.
     *
     * @return what was left out, a sentence for each object
     * @throws IllegalArgumentException if the server refuses an object, with its message
     */
    public List<String> applyKnown(String manifests) {
        return applyKnown(manifests, (_, _) -> true);
    }

    /**
     * Like {@link #apply}, but for some of the objects only.
     *
     * @param which is asked about the apiVersion and the kind of each object
     * @throws IllegalArgumentException if the server refuses an object, with its message
     */
    public void apply(String manifests, BiPredicate<String, String> which) {
        chosen(manifests, which).forEach(this::apply);
    }

    /**
     * Like {@link #apply(String, BiPredicate)}, but leaves out the objects of kinds that the cluster does not serve.
     *
     * @return what was left out, a sentence for each object
     * @throws IllegalArgumentException if the server refuses an object, with its message
     */
    public List<String> applyKnown(String manifests, BiPredicate<String, String> which) {
        List<String> leftOut = new ArrayList<>();
        for (ObjectNode object : chosen(manifests, which)) {
            try {
                apply(object);
            } catch (UnknownKindException e) {
                leftOut.add(e.getMessage());
            }
        }
        return List.copyOf(leftOut);
    }

    /**
     * Reads manifests as {@link #apply} does.
     *
     * @param which is asked about the apiVersion and the kind of each object
     * @return each object as JSON of its own, in the order in which they are applied
     */
    public static List<String> objects(String manifests, BiPredicate<String, String> which) {
        return chosen(manifests, which).stream().map(Json::text).toList();
    }

    private static List<ObjectNode> chosen(String manifests, BiPredicate<String, String> which) {
        return ManifestReader.read(manifests).stream()
                .filter(object -> which.test(Json.string(object, "apiVersion"), Json.string(object, "kind")))
                .toList();
    }

    private void apply(ObjectNode object) {
        new ManifestApplier(server, object, token, tasks::settle).apply();
    }

    /**
     * Takes over an object of another cluster as it is there: with its uid, owners, status and deletion, and without
     * validation and admission. It keeps its version if that is higher than all versions here, and takes the place of
     * one that has its name.
     *
     * @param object the object as JSON, in any version that is served
     * @return false if its kind is not served here; definitions must come first
     * @throws IllegalArgumentException if it has no name
     */
    public boolean importObject(String object) {
        boolean known = server.importObject(object.getBytes(StandardCharsets.UTF_8));
        tasks.settle();
        return known;
    }

    /**
     * Writes all objects to a file that only its owner can read, and which is replaced; {@link Options#from} starts a
     * cluster with them.
     *
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    public void save(Path file) {
        server.save(file);
    }

    /** The faults to inject; rules may be added and removed while the cluster runs. */
    public Faults faults() {
        return server.faults();
    }

    /** What was damaged in the data folder when the cluster started, and what is lost; empty if nothing is. */
    public String damage() {
        return server.damage();
    }

    /**
     * Stops listening, ends all watches, and waits only until the disk has all changes, and a snapshot that is begun.
     */
    @Override
    public void close() {
        frontend.close();
        tasks.close();
        server.close();
    }
}
