package dev.kopf4j.cli;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingValue;
import dev.kopf4j.cli.image.OperatorPaths;
import dev.kopf4j.cli.manifests.Deployed;
import dev.kopf4j.cli.manifests.Deployed.Replicas;
import dev.kopf4j.cli.manifests.Deployed.WebhookService;
import dev.kopf4j.cli.manifests.Names;
import dev.kopf4j.cli.manifests.OperatorName;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How an operator is called, and run, in a cluster. */
final class DeploymentOptions {
    private static final int WEBHOOKS = 9443;
    private static final int HTTPS = 443;
    private static final String TEMPORARY = "/tmp"; // a volume

    /** The origin of what follows that setting. */
    private static final String OPERATOR_NAME = "operator.name";

    private static final Path SOURCES = Path.of("src", "main", "java");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of all objects (default: that of the first file, as in website-operator).")
    private @Nullable String name;

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAMESPACE",
            description = "The namespace in which the operator runs (default: its name).")
    private @Nullable String namespace;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The image of the operator (default: example.com/NAME:latest).")
    private @Nullable String image;

    @Option(
            names = "--replicas",
            paramLabel = "NUMBER",
            description = "How many pods (default: 1; 2 with --leader-elect or --shards).")
    private @Nullable Integer replicas;

    /** Refuses names that Kubernetes would refuse. */
    void check() {
        for (String each : new String[] {name, namespace}) {
            if (each != null && !OperatorName.isName(each)) {
                throw CommandException.usage(
                        "'" + each + "' is no name in Kubernetes: small letters, digits and dashes,"
                                + " a letter first, 63 characters at the most.");
            }
        }
        if (image != null && image.isBlank()) {
            throw CommandException.usage(
                    "--image is empty, perhaps as a variable of the shell is: name the image, or leave the option out.");
        }
        if (image != null && image.chars().anyMatch(Character::isWhitespace)) {
            throw CommandException.usage("--image \"" + image + "\" has blanks, and no name of an image has any.");
        }
        if (replicas != null && replicas < 0) {
            throw CommandException.usage("--replicas " + replicas + " is less than nothing.");
        }
    }

    /** Where the operator runs; null if nothing was said. */
    @Nullable String namespace() {
        return namespace;
    }

    Names names(OperatorFileOptions files) {
        String chosen = name != null ? name : OperatorName.of(first(files));
        return Names.of(chosen, namespace == null ? chosen : namespace);
    }

    private static String first(OperatorFileOptions files) {
        return files.files().isEmpty()
                ? files.modules().getFirst()
                : title(files.files().getFirst().toAbsolutePath().normalize());
    }

    /** That of a file or folder; of {@code src/main/java}, that of the project. */
    private static String title(Path place) {
        int names = place.getNameCount() - (place.endsWith(SOURCES) ? SOURCES.getNameCount() : 0);
        return names > 0 ? place.getName(names - 1).toString() : "";
    }

    Deployed deployed(
            Names names,
            OperatorFileOptions files,
            NamespaceOptions namespaces,
            OperatorSettings settings,
            boolean hasWebhooks) {
        boolean several =
                settings.leaderElection().enabled() || settings.sharding().shards() != null;
        int pods = replicas != null ? replicas : several ? 2 : 1;
        if (pods > 1 && !several) {
            throw CommandException.usage(
                    "--replicas " + pods + " needs --leader-elect or --shards: several operators that all"
                            + " act on all objects would handle the same objects several times.");
        }
        WebhookService service = hasWebhooks ? service(names, settings, several) : null;
        if (service != null && service.name() == null && !names.areForWebhooks()) {
            throw CommandException.usage("'" + names.name()
                    + "' is too long for an operator with webhooks: their Service"
                    + " would be '" + names.webhooks() + "', and has 63 characters at the most. Give a shorter name by"
                    + " --name.");
        }
        return new Deployed(
                image == null ? "example.com/" + names.name() + ":latest" : image,
                arguments(files, namespaces),
                environment(settings, several, service != null),
                new Replicas(pods, several),
                hasWebhooks,
                isMountable(settings.recorder().folder()) ? settings.recorder().folder() : null,
                service);
    }

    /** True if a volume there makes a folder writable, and hides nothing of the image. */
    private static boolean isMountable(@Nullable String folder) {
        return folder != null
                && folder.startsWith("/")
                && !isIn(folder, TEMPORARY)
                && !isIn(OperatorPaths.FOLDER, folder);
    }

    /** True for the folder itself, too. */
    private static boolean isIn(String path, String folder) {
        return (path + "/").replaceAll("/+", "/").startsWith((folder + "/").replaceAll("/+", "/"));
    }

    /** The Service of webhooks: one that somebody has named, or one after the operator; null for none of its own. */
    private static @Nullable WebhookService service(Names names, OperatorSettings settings, boolean several) {
        WebhookServer server = settings.admission().server();
        if (server == null) {
            return new WebhookService(null, HTTPS, WEBHOOKS, several ? "" : null);
        }
        if (!(server instanceof LocalWebhookServer local)
                || local.service() == null
                || !local.service().namespace().equals(names.namespace())) {
            return null;
        }
        if (local.port() == 0) {
            throw CommandException.usage("admission.server names the Service '"
                    + local.service().name() + "', and any free port of the pod, to which no Service can lead: write"
                    + " the port at its end, as in service:NAMESPACE/NAME:443:" + WEBHOOKS + ".");
        }
        return new WebhookService(
                local.service().name(),
                local.service().port(),
                local.port(),
                local.authority() == null ? null : local.authority().secret().name());
    }

    /** What has to be known of what is deployed, in words for people. */
    static List<String> remarks(Names names, Deployed deployed, OperatorSettings settings) {
        List<String> remarks = new ArrayList<>();
        if (deployed.webhooks() && deployed.service() == null) {
            remarks.add("No Service is printed, as admission.server names none in '" + names.namespace()
                    + "', where the operator runs: take care that the API server reaches the webhooks, or leave"
                    + " the setting out, or name a Service of that namespace.");
        }
        String folder = settings.recorder().folder();
        if (folder != null && deployed.recordFolder() == null && !isIn(folder, TEMPORARY)) {
            remarks.add(
                    "No volume is printed for recorder.folder='" + folder + "', which cannot be written so: name the"
                            + " full path of a folder that the image does not have, such as /var/lib/operator/record.");
        }
        return remarks;
    }

    /** The operator lies where {@code kopf4j image} puts it. */
    private static List<String> arguments(OperatorFileOptions files, NamespaceOptions namespaces) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(namespaces.arguments());
        arguments.addAll(OperatorPaths.of(files.parts()).arguments());
        return arguments;
    }

    /** The settings that were changed here, as the process in the cluster takes them. */
    private static Map<String, String> environment(OperatorSettings settings, boolean several, boolean byService) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("KOPF4J_SETTINGS_PROCESS_ULTIMATE_EXITING_TIMEOUT", "50s");
        for (SettingValue value : settings.values()) {
            boolean needed = switch (value.setting().name()) {
                case "leaderElection.leaseName" -> several;
                case "admission.server" -> !byService; // an argument says it
                default -> true;
            };
            boolean given = !value.origin().equals("default") && !value.origin().equals(OPERATOR_NAME);
            if (needed && given) {
                environment.put(value.setting().variable(), value.text());
            }
        }
        return environment;
    }
}
