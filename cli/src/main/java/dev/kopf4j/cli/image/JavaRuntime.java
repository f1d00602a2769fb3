package dev.kopf4j.cli.image;

import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * A Java runtime of what operators need, made by jlink of the JDK that runs this program, and its start-up cache.
 *
 * @param staged where it lies
 */
public record JavaRuntime(StagedImage staged) {
    /** The runtime in the image. */
    public static final String HOME = "/opt/java";

    /** The start-up cache in the image. */
    public static final String CACHE = "/opt/kopf4j/cache";

    private static final String CACHE_FILE = CACHE + "/operator.aot";
    private static final String MODULES =
            "java.se,jdk.crypto.ec,jdk.httpserver,jdk.naming.dns,jdk.unsupported,jdk.zipfs";

    /** The rest of the container's memory is for threads, code and buffers. */
    private static final String HEAP = "-XX:MaxRAMPercentage=50";

    /** What has lost a task to that would go on as if all were well; it is started again instead. */
    private static final String ENDS_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

    /** Lets what the C library has freed be given back to the system. */
    private static final String ONE_ARENA = "MALLOC_ARENA_MAX=1";

    /** In the locale POSIX, Java hands a question mark to other programs for each letter beyond ASCII. */
    private static final String ALL_CHARACTERS = "LANG=C.UTF-8";

    // As in bin/kopf4j, which says why.
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CICompilerCount=2",
            "-Xss8m",
            "-XX:StringTableSize=8192",
            "-Xmn12m",
            "-XX:SurvivorRatio=1",
            "-XX:TargetSurvivorRatio=90",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTReplayTraining",
            "-XX:ArchiveRelocationMode=0",
            "-XX:TrimNativeHeapInterval=10000",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-Xlog:aot*=off:stderr",
            "-Xlog:cds*=off:stderr");

    /**
     * Refuses to make a runtime of the JDK of one machine for another one.
     *
     * @param system the name of this operating system, as Java tells it
     * @param machine that of this processor
     * @param architecture the processor that the image is for
     * @throws CommandException if such an image could not start
     */
    public static void check(String system, String machine, String architecture) {
        String own = architecture(machine);
        if (!system.equals("Linux") || !own.equals(architecture)) {
            throw CommandException.usage(
                    "--root-filesystem puts the Java runtime of this machine (" + system + ", " + own
                            + ") into an image for Linux on " + architecture
                            + ", where it cannot start: name an image with Java"
                            + " for " + architecture + " by --base.");
        }
    }

    /** The processor, as images call it. */
    public static String architecture(String machine) {
        return switch (machine) {
            case "aarch64" -> "arm64";
            case "x86_64" -> "amd64";
            default -> machine;
        };
    }

    /** Makes the runtime. */
    public void link() throws IOException, InterruptedException {
        ToolProvider jlink = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> CommandException.usage("This Java has no jlink: run kopf4j with a JDK."));
        Files.createDirectories(staged.at(HOME).resolveSibling(""));
        StringWriter messages = new StringWriter();
        PrintWriter writer = new PrintWriter(messages, true);
        int status = jlink.run(
                writer,
                writer,
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                staged.at(HOME).toString());
        if (status != 0) {
            throw CommandException.usage(
                    "jlink cannot make a Java runtime: " + messages.toString().strip());
        }
        // What jlink would do by --generate-cds-archive, which prints to the output of this program.
        run(List.of(staged.at(HOME + "/bin/java").toString(), "-Xshare:dump"));
    }

    /** The variables of an image; the locale of an image that has Java already is that of its maker. */
    public static List<String> environment(boolean ownJava) {
        return ownJava ? List.of(ALL_CHARACTERS, ONE_ARENA) : List.of(ONE_ARENA);
    }

    /** How the program is started in an image. */
    public static List<String> command(String java, boolean cache, Path program) {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(OPTIONS);
        command.add(HEAP);
        command.add(ENDS_WITHOUT_MEMORY);
        if (cache) {
            command.add("-XX:AOTCache=" + CACHE_FILE);
        }
        command.addAll(List.of("-jar", StagedImage.PROGRAM + "/" + program.getFileName()));
        return command;
    }

    /** Runs the program for a moment with the runtime, and stores what was loaded. True if there is a cache then. */
    public boolean makeCache(Path program, Path work, PrintWriter diagnostics)
            throws IOException, InterruptedException {
        Files.createDirectories(staged.at(CACHE));
        new Rehearsal(program, work).run(diagnostics, arguments -> rehearse(program, arguments));
        return Files.isReadable(staged.at(CACHE_FILE));
    }

    private void rehearse(Path program, List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(staged.at(HOME + "/bin/java").toString()));
        command.addAll(OPTIONS);
        command.add("-Xmx256m"); // a cache made with a huge heap does not fit a small one
        command.add("-XX:AOTCacheOutput=" + staged.at(CACHE_FILE));
        command.add("-jar");
        command.add(
                staged.at(StagedImage.PROGRAM).resolve(program.getFileName()).toString());
        command.addAll(arguments);
        run(command);
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
