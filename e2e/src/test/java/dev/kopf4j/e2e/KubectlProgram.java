package dev.kopf4j.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code kubectl} of this machine. That of some installations asks the server for its version, and starts another
 * one of the same folder: each command takes twice the work. Here, that other one is found once.
 */
final class KubectlProgram {
    private static final Pattern MINOR = Pattern.compile("\"minor\"\\s*:\\s*\"(\\d+)");
    private static final Pattern STARTS_ANOTHER = Pattern.compile("\"gitVersion\"\\s*:\\s*\"[^\"]*-dispatcher\"");

    private static final Path LINKS = Path.of("target").toAbsolutePath();

    private KubectlProgram() {}

    /** Initialized when somebody asks first: most processes of tests need none. */
    private static final class Found {
        static final Path PROGRAM = find();
        static final String VERSION = version(PROGRAM);
    }

    /** What to start; where there is none, its name. */
    static Path path() {
        return Found.PROGRAM;
    }

    /** A PATH on which it is the first one; that of this process, unless another one was found. */
    static String searchPath() {
        String path = System.getenv("PATH");
        return Files.isSymbolicLink(path()) && path().startsWith(LINKS)
                ? path().getParent() + File.pathSeparator + path
                : path;
    }

    /** What is wrong with it; empty if it is of this version or a later one. */
    static String lack(int leastMinor) {
        Matcher minor = MINOR.matcher(Found.VERSION);
        if (Found.VERSION.isEmpty()) {
            return "there is no kubectl on the PATH";
        }
        boolean fits = minor.find() && Integer.parseInt(minor.group(1)) >= leastMinor;
        return fits ? "" : "the kubectl on the PATH is too old: " + Found.VERSION;
    }

    private static Path find() {
        Path name = Path.of("kubectl");
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder).resolve(name).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst()
                .map(KubectlProgram::started)
                .orElse(name);
    }

    private static Path started(Path program) {
        try {
            Path other = program.toRealPath().resolveSibling("kubectl.1." + Kubectl.RECORDED_MINOR);
            if (!Files.isExecutable(other)
                    || !STARTS_ANOTHER.matcher(version(program)).find()) {
                return program;
            }
            // By its usual name, which it has in what it writes.
            Path folder = Files.createDirectories(LINKS.resolve("kubectl-" + System.getProperty("test.fork", "1")));
            Path link = folder.resolve("kubectl");
            Files.deleteIfExists(link);
            return Files.createSymbolicLink(link, other);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it says of itself; nothing where there is none. */
    private static String version(Path program) {
        List<String> command = List.of(program.toString(), "version", "--client", "-o", "json");
        try (RunningProgram kubectl = RunningProgram.start(Path.of("."), Map.of(), command)) {
            kubectl.awaitExit(Kopf4j.PATIENCE);
            return kubectl.output();
        } catch (UncheckedIOException e) {
            return "";
        }
    }
}
