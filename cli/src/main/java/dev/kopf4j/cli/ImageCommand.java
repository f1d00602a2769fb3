package dev.kopf4j.cli;

import dev.kopf4j.cli.image.ImageMaker;
import dev.kopf4j.cli.image.JavaRuntime;
import dev.kopf4j.cli.image.OperatorPaths;
import dev.kopf4j.cli.image.ResourceFiles;
import dev.kopf4j.cli.image.StagedImage;
import dev.kopf4j.cli.library.ProgramLibraries;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.WorkFolder;
import dev.kopf4j.cli.source.OperatorFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j image}: makes a container image of an operator. */
@Command(
        name = "image",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Makes a container image of an operator, without a container engine. The same files make the same image.",
            "On a root file system, the image gets a Java runtime and its start-up cache; a base image must have Java."
        },
        footer = {
            "",
            "Registries are asked with the credentials of docker's configuration.",
            "Exit codes: 0 done, 1 the image cannot be made, 2 wrong usage, 4 the sources do not compile."
        })
final class ImageCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Base base;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Target target;

    @Option(names = "--name", paramLabel = "NAME", description = "With --tar: the image's name (default: operator).")
    private String name = "operator";

    @Option(
            names = "--argument",
            paramLabel = "ARGUMENT",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "An option of `kopf4j run` in the image; repeatable (default: -A).")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--architecture",
            paramLabel = "NAME",
            split = "\\s*,\\s*|\\s+",
            splitSynopsisLabel = ",",
            description = {
                "amd64 or arm64 (default: this machine's). Several, as amd64,arm64, make an image for each below one name:",
                "with --push, on a --base that has them, too."
            })
    private List<String> architectures = new ArrayList<>();

    @Option(
            names = "--insecure-registry",
            description = "Permit registries without TLS, or without a trusted certificate.")
    private boolean insecure;

    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** What the image is put on. */
    private static final class Base {
        @Option(
                names = "--base",
                required = true,
                paramLabel = "IMAGE",
                description = "An image with Java 25 on its PATH.")
        private @Nullable String image;

        @Option(names = "--base-tar", required = true, paramLabel = "FILE", description = "The same in a tar.")
        private @Nullable Path tar;

        @Option(
                names = "--root-filesystem",
                required = true,
                paramLabel = "PLACE",
                description = "A folder or tar with the C library; Java is put into the image.")
        private @Nullable Path root;

        List<String> arguments() {
            if (image != null) {
                return List.of("--base", image);
            }
            return tar != null
                    ? List.of("--base-tar", tar.toString())
                    : List.of("--root-filesystem", String.valueOf(root));
        }
    }

    /** Where the image goes. */
    private static final class Target {
        @Option(
                names = "--tar",
                required = true,
                paramLabel = "FILE",
                description = "Write a tar, as for `docker load`.")
        private @Nullable Path tar;

        @Option(
                names = "--layout",
                required = true,
                paramLabel = "FOLDER",
                description = "Write a folder of the OCI layout.")
        private @Nullable Path layout;

        @Option(names = "--push", required = true, paramLabel = "IMAGE", description = "Send it to a registry.")
        private @Nullable String push;

        List<String> arguments() {
            if (push != null) {
                return List.of("--push", push);
            }
            return tar != null ? List.of("--tar", tar.toString()) : List.of("--layout", String.valueOf(layout));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        files.check();
        checkArchitectures();
        Path program = ProgramLibraries.ofThisProgram()
                .jar()
                .orElseThrow(() -> CommandException.usage("Images are made by the program as it is distributed."));
        try (WorkFolder work = WorkFolder.create("kopf4j-image")) {
            return make(work.path(), program);
        } catch (IOException e) {
            throw new UncheckedIOException("Files of the image cannot be written", e);
        }
    }

    private void checkArchitectures() {
        Set<String> wanted = architectures();
        if (wanted.stream().anyMatch(String::isBlank)) {
            throw CommandException.usage("--architecture names none between two commas: " + architectures + ".");
        }
        if (wanted.size() > 1) {
            String several = "--architecture names several, " + String.join(" and ", wanted) + ": ";
            if (base.root != null) {
                throw CommandException.usage(several
                        + "--root-filesystem puts the Java runtime of this machine and its start-up cache into the"
                        + " image, which start on one. Make each image on a machine of its architecture, or name an"
                        + " image with Java by --base.");
            }
            if (base.tar != null) {
                throw CommandException.usage(
                        several + "an image in a tar is for one. Name one of a registry by --base.");
            }
            if (target.push == null) {
                throw CommandException.usage(
                        several + "--tar and --layout hold an image for one. Send it to a registry by --push, or make"
                                + " each by itself.");
            }
        }
        if (base.root != null) {
            JavaRuntime.check(
                    System.getProperty("os.name", ""),
                    System.getProperty("os.arch", ""),
                    wanted.iterator().next());
        }
    }

    private Set<String> architectures() {
        return architectures.isEmpty()
                ? Set.of(System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64")
                : new LinkedHashSet<>(architectures);
    }

    private int make(Path work, Path program) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        StagedImage staged = new StagedImage(work.resolve("image"));
        OperatorFiles packed = files.pack(err);
        List<String> run = staged.addOperator(packed);
        if (!packed.resources().isEmpty()) {
            ResourceFiles.of(packed.resources()).words().forEach(err::println);
            err.flush();
        }
        staged.addProgram(program.resolveSibling("").toAbsolutePath());
        boolean ownJava = base.root != null;
        List<String> tool = new ArrayList<>(base.arguments());
        tool.addAll(target.arguments());
        boolean cached = ownJava && addJava(staged, program, tool, err);
        layer(tool, "program", staged, StagedImage.PROGRAM);
        layer(tool, "operator", staged, OperatorPaths.FOLDER);
        JavaRuntime.command(ownJava ? JavaRuntime.HOME + "/bin/java" : "java", cached, program)
                .forEach(each -> tool.addAll(List.of("--entrypoint", each)));
        // A Deployment's arguments take the place of these, as those of `kopf4j manifests`.
        List<String> started = new ArrayList<>(
                List.of("run", "--liveness=http://0.0.0.0:8080/healthz", "--readiness=http://0.0.0.0:8080/ready"));
        started.addAll(arguments.isEmpty() ? List.of("-A") : arguments);
        started.addAll(run);
        started.forEach(each -> tool.addAll(List.of("--argument", each)));
        tool.addAll(List.of("--port", "8080", "--name", name));
        architectures().forEach(each -> tool.addAll(List.of("--architecture", each)));
        JavaRuntime.environment(ownJava).forEach(each -> tool.addAll(List.of("--environment", each)));
        tool.addAll(List.of("--insecure-registry", String.valueOf(insecure), "--work", work.toString()));
        var message = new java.io.StringWriter();
        int status = new ImageMaker(program).make(spec.commandLine().getOut(), new PrintWriter(message, true), tool);
        if (status != 0) {
            err.println(
                    "kopf4j: The image cannot be made: " + message.toString().strip());
            err.flush();
        }
        spec.commandLine().getOut().flush();
        return status == 0 ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static boolean addJava(StagedImage staged, Path program, List<String> tool, PrintWriter err)
            throws IOException, InterruptedException {
        JavaRuntime runtime = new JavaRuntime(staged);
        runtime.link();
        staged.settle();
        layer(tool, "java", staged, JavaRuntime.HOME);
        boolean cached = runtime.makeCache(program, staged.root().resolveSibling("warm-up"), err);
        if (cached) {
            layer(tool, "cache", staged, JavaRuntime.CACHE);
        }
        return cached;
    }

    private static void layer(List<String> tool, String name, StagedImage staged, String path) {
        tool.addAll(List.of("--layer", name + "=" + staged.at(path) + "=" + path));
    }
}
