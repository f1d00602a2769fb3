package dev.kopf4j.cli;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code kopf4j devcluster} that configure the cluster. */
final class DevClusterOptions {
    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.devcluster");

    /**
     * As DNS has it, and with underscores, which containers may have in their names. A certificate may have wildcards.
     */
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?\\w([\\w-]*\\w)?(\\.\\w([\\w-]*\\w)?)*\\.?");

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = {
                "Listen on this address, 0.0.0.0 for all, as in a container (default: 127.0.0.1). Whoever reaches it",
                "from elsewhere needs the kubeconfig."
            })
    private String address = "127.0.0.1";

    @Option(
            names = "--name",
            paramLabel = "HOST",
            split = "\\s+",
            hideParamSyntax = true,
            description = {
                "A name or address by which clients reach the cluster, beside localhost and 127.0.0.1: it stands in the",
                "certificate, and the first one in the kubeconfig; repeatable. Further ones may be wildcards: *.kube.local."
            })
    private List<String> names = new ArrayList<>();

    @Mixin
    private SimulationOptions simulation = new SimulationOptions();

    @Option(names = "--rbac", description = "Ask for credentials, and let RBAC decide who may do what.")
    private boolean rbac;

    @Option(
            names = "--always-allow",
            description =
                    "Ask for credentials, and know the roles of RBAC, but refuse nobody: --authorization-mode=RBAC,AlwaysAllow of kube-apiserver.")
    private boolean alwaysAllow;

    @Option(
            names = "--root-certificate",
            description =
                    "Give each namespace the ConfigMap kube-root-ca.crt, and each pod the volume with it and its token, as real clusters do.")
    private boolean rootCertificate;

    @Option(
            names = "--growing-claims",
            description = "Let claims for volumes grow before they are bound, which real clusters do not.")
    private boolean growingClaims;

    @Option(
            names = "--service",
            paramLabel = "NAMESPACE/NAME=PORT[/READY],...",
            split = "\\s+",
            hideParamSyntax = true,
            description =
                    "Reach the service that a webhook names on this HTTPS port of the loopback interface, or one of"
                            + " these by chance; only while http://127.0.0.1:READY/ready/webhooks says so, if such a"
                            + " port is given; repeatable.")
    private Map<String, String> services = new LinkedHashMap<>();

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Keep this many changes of each resource for watches (default: ${DEFAULT-VALUE}).")
    private int window = Options.defaults().windowSize();

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            description = {
                "Take the place of an API server of Kubernetes 1.31, 1.32, 1.33 or 1.34: the version that it tells, and the",
                "versions of built-in groups that it serves (default: ${DEFAULT-VALUE})."
            })
    private String kubernetesVersion = KubernetesVersion.DEFAULT.toString();

    @Option(
            names = "--runtime-config",
            paramLabel = "GROUP/VERSION[=false]",
            split = "\\s*,\\s*|\\s+",
            splitSynopsisLabel = ",",
            description = {
                "Serve an alpha or beta version of a built-in group, or not, as kube-apiserver does by this option:",
                "resource.k8s.io/v1beta2, api/beta; repeatable."
            })
    private List<String> runtimeConfig = new ArrayList<>();

    @Option(
            names = "--watch-list",
            description = "Let watches ask for initial events, which 1.31 and 1.33 do not by default.")
    private boolean watchList;

    @Option(names = "--log", description = "Log each request.")
    private boolean logRequests;

    /** Refuses numbers that are out of range, and names and versions that are none. */
    void check() {
        simulation.check();
        if (!isAddress(address)) {
            throw CommandException.usage("--address " + address + " is no IP address, such as 0.0.0.0.");
        }
        for (String name : names) {
            if (!HOST.matcher(name).matches() && !isAddress(name)) {
                throw CommandException.usage("--name '" + name
                        + "' is neither an address nor the name of a host, such as kubernetes; each has a --name of its"
                        + " own.");
            }
        }
        if (!names.isEmpty() && names.getFirst().startsWith("*")) {
            throw CommandException.usage("--name '" + names.getFirst()
                    + "' cannot be the first, which the kubeconfig names: put a --name that clients reach before it.");
        }
        try {
            versioned();
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(e.getMessage() + ".");
        }
        if (window < 1) {
            throw CommandException.usage("--window " + window + " is too small: it must be 1 or more.");
        }
    }

    private static boolean isAddress(String text) {
        try {
            InetAddress.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Options versioned() {
        return Options.defaults()
                .kubernetesVersion(KubernetesVersion.of(kubernetesVersion))
                .runtimeConfig(runtimeConfig);
    }

    Options options() {
        Consumer<String> requestLog = logRequests ? LOG::info : line -> {};
        Options versioned = versioned();
        return simulation.applyTo((watchList ? versioned.watchList(true) : versioned)
                .requestLog(requestLog)
                .rbac(rbac)
                .alwaysAllow(alwaysAllow)
                .rootCertificate(rootCertificate)
                .growingClaims(growingClaims)
                .windowSize(window)
                .webhookServices(ServiceArguments.parse(services))
                .names(names)
                .address(InetAddress.ofLiteral(address)));
    }
}
