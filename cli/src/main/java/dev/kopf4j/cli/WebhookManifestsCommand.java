package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.admission.configuration.WebhookManifests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j manifests webhooks}: prints the webhook configurations for those who write them by hand. */
@Command(
        name = "webhooks",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Prints the webhook configurations of an operator's admission handlers, and the Service if there is one.",
            "Start-up handlers are not called: name what they would set. Resources are taken from the definitions in the"
                    + " YAML files beside the source; of others the rules are as the handlers declare them."
        })
final class WebhookManifestsCommand implements Runnable {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Mixin
    private WebhookAddressOptions address = new WebhookAddressOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of the configurations, such as auto.example.com (default: the setting"
                    + " admission.managed).")
    private @Nullable String name;

    @Option(
            names = "--definitions",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "Take definitions from this YAML file or folder, not from beside the source; repeatable.")
    private List<Path> definitions = new ArrayList<>();

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        files.check();
        namespaces.check();
        address.check();
        OperatorBuilder builder = Operator.builder()
                .handlers(files.load(spec.commandLine().getErr()).handlers().toArray());
        namespaces.applyTo(builder);
        WebhookManifests manifests = OperatorAssembly.webhooks(builder, name(), defined(), address.clientConfig());
        if (manifests.objects().isEmpty()) {
            throw CommandException.usage(
                    "There are no admission handlers: no method has @OnValidate or @OnMutate. Nothing has to be written.");
        }
        YamlPrinter printer = new YamlPrinter(spec.commandLine().getOut());
        manifests.remarks().forEach(printer::comment);
        manifests.objects().forEach(printer::document);
        address.service().ifPresent(service -> {
            printer.comment(
                    "Change the selector to the labels of the operator's pods, and targetPort to the port of its"
                            + " webhook server.");
            printer.document(service);
        });
    }

    private String name() {
        OperatorSettings known = new OperatorSettings();
        settings.apply(known, EnvironmentDefaults.environment(spec), System.getProperties());
        String managed = name == null ? known.admission().managed() : name;
        if (managed == null || managed.split("\\.", -1).length < 2) {
            throw CommandException.usage("--name " + (managed == null ? "is missing" : managed + " is no domain")
                    + ": the names of the webhooks end with it, and have three parts at least; write for example --name"
                    + " auto.example.com.");
        }
        return managed;
    }

    private List<Resource> defined() {
        ManifestFiles manifests =
                definitions.isEmpty() ? files.manifests(settings.file()) : ManifestFiles.read(definitions);
        return manifests.objects().stream()
                .flatMap(object -> WebhookManifests.defined(object).stream())
                .toList();
    }
}
