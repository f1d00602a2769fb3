package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.GivenDefinitions;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.OutputFolder;
import dev.kopf4j.types.RecordSources;
import dev.kopf4j.types.TypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kopf4j types}: writes records for custom resource definitions. */
@Command(
        name = "types",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = "Writes Java records for custom resource definitions; `kopf4j crd` makes the same ones of them.",
        footer = {"", "Exit codes: 0 done, 2 wrong usage, or files without definitions."})
final class TypesCommand implements Callable<Integer> {
    private static final String MARK =
            "// Made by `kopf4j types`, which makes it anew as long as this line is there.\n";

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "YAML or JSON files with definitions, or folders of them.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = {
                "Write a file for each version of a resource into this folder (default: print all). Files that were",
                "made so before are made anew as long as they begin with the line that says so."
            })
    private @Nullable Path output;

    @Option(
            names = "--package",
            paramLabel = "NAME",
            defaultValue = "",
            description = "With --output: the package of the records, which are public then.")
    private String packageName = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!packageName.isEmpty() && output == null) {
            throw CommandException.usage("--package works with --output only: a file has one public type.");
        }
        if (!packageName.isEmpty() && !SourceVersion.isName(packageName)) {
            throw CommandException.usage(
                    "--package must be the name of a Java package, such as com.example, but is '" + packageName + "'.");
        }
        List<Map<String, Object>> definitions = definitions();
        try {
            if (output == null) {
                var out = spec.commandLine().getOut();
                out.print(RecordSources.together(definitions));
                out.flush();
            } else {
                write(output, RecordSources.files(definitions, packageName));
            }
        } catch (TypeException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }

    private List<Map<String, Object>> definitions() {
        files.stream()
                .filter(file -> !Files.isDirectory(file))
                .forEach(file -> CommandException.requireReadable("file", file));
        var definitions =
                List.copyOf(GivenDefinitions.of(ManifestFiles.read(files)).values());
        if (definitions.isEmpty()) {
            throw CommandException.usage("There is no CustomResourceDefinition in " + files
                    + "; `kubectl get crd NAME -o yaml` prints one.");
        }
        return definitions;
    }

    private void write(Path folder, Map<String, String> sources) {
        OutputFolder files = new OutputFolder(folder, "`kopf4j types`", sources.keySet(), MARK);
        sources.forEach(files::made);
        files.write().forEach(spec.commandLine().getOut()::println);
    }
}
