package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.project.NewProject;
import dev.kopf4j.cli.project.ProjectKind;
import dev.kopf4j.cli.project.ProjectNames;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kopf4j init}: makes the project of a new operator. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = "Makes the project of a new operator: sources with a custom resource, a test, a build, manifests,"
                + " a Dockerfile, a CI file. `mvn verify` passes at once.",
        footer = {"", "Exit codes: 0 done, 1 a file cannot be written, 2 wrong usage, or something is in the way."})
final class InitCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            description = "The operator's name, as greeting-operator; also that of the folder.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--group",
            paramLabel = "DOMAIN",
            description =
                    "The API group of the custom resource, and the Maven group reversed (default: ${DEFAULT-VALUE}).",
            defaultValue = "example.com")
    private String group = "example.com";

    @Option(names = "--gradle", description = "Build with Gradle, not Maven.")
    private boolean gradle;

    @Option(names = "--file", description = "One source file and an object, no project.")
    private boolean single;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "Where to write (default: a new folder of that name; with --file, the current one).")
    private @Nullable Path folder;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // that a cluster was asked for the manifests is nobody's business
        if (gradle && single) {
            throw CommandException.usage("--file makes no project: leave out --gradle.");
        }
        ProjectNames names = new ProjectNames(name, group);
        PrintWriter out = spec.commandLine().getOut();
        List<Path> written = new ArrayList<>();
        NewProject project = project(names);
        written.addAll(project.write());
        if (!single) {
            written.addAll(manifests(project));
        }
        written.forEach(out::println);
        out.println(next(names));
        out.flush();
        return ExitCode.OK;
    }

    private Path projectFolder() {
        return folder == null ? Path.of(name) : folder;
    }

    /** What {@code kopf4j manifests} makes of the new sources. Without it, there is no project. */
    private List<Path> manifests(NewProject project) throws InterruptedException {
        Path target = projectFolder().resolve("deploy");
        Path sources = projectFolder().resolve(Path.of("src", "main", "java"));
        ManifestsCommand command = Main.commandLine(Map.of(), "manifests")
                .parseArgs("manifests", "--name", name, "--kustomize", target.toString(), sources.toString())
                .asCommandLineList()
                .getLast()
                .getCommand();
        try {
            command.make();
        } catch (RuntimeException e) {
            project.takeBack(e);
            throw e;
        }
        return ManifestFiles.read(List.of(target)).files();
    }

    private NewProject project(ProjectNames names) {
        if (single) {
            return NewProject.ofFiles(folder == null ? Path.of("") : folder, names);
        }
        ProjectKind kind = gradle ? ProjectKind.GRADLE : ProjectKind.MAVEN;
        return NewProject.in(projectFolder(), kind, names);
    }

    private String next(ProjectNames names) {
        if (single) {
            Path file = Path.of(names.kind() + "Operator.java");
            return "Next: kopf4j run --devcluster " + (folder == null ? file : folder.resolve(file));
        }
        // What is built from sources lies in no public repository.
        String before = VersionProvider.number().endsWith("-SNAPSHOT")
                ? "Once, in the sources of kopf4j: ./mvnw install -Dpublished\n"
                : "";
        return before + "Next: cd " + projectFolder() + " && " + (gradle ? "gradle build" : "mvn verify");
    }
}
