package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.e2e.DocumentedPage.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One terminal in a folder, and what runs in others meanwhile: {@code kopf4j run} and {@code kopf4j devcluster} go on,
 * and the commands that follow have their KUBECONFIG. Ports are other ones than those shown, which may be taken; what
 * is shown below {@code /var} is in the folder.
 */
final class DocumentedSession implements AutoCloseable {
    private static final Pattern DEV_CLUSTER = Pattern.compile("(?:\\./)?kopf4j devcluster\\b.*");
    private static final Pattern OPERATOR = Pattern.compile("(?:env \\S+=\\S+ )?(?:\\./)?kopf4j run\\b.*");
    private static final Pattern ONLY_READS = Pattern.compile(
            "(?:kubectl (?:get|describe|events|explain)|kopf4j (?:why|doctor|history)|cat|ls|curl)\\b.*");
    private static final Pattern PORT = Pattern.compile("(?<=\\b(?:localhost|127\\.0\\.0\\.1):)\\d+");
    private static final Pattern OF_THE_JDK = Pattern.compile("\\S*/bin/javac?\\b.*");
    private static final String ANYTHING = "[...]";

    /** What is another one each time: times, durations, versions of objects, ages, random ids, names of pods. */
    private static final Pattern VARIABLE = Pattern.compile("""
            \\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)?\
            |(?<![\\d.])\\d+(?:\\.\\d+)? ms\\b\
            |\\bversion \\d+\\b\
            |(?<= )\\d+[smhd](?m:$)\
            |(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])\
            |(?<=-)[a-z0-9]{5}(?=_)""");

    private static final int SIGTERM = 143;
    /** As the launcher starts kopf4j: the other compiler takes more than what it compiles in such a short life. */
    private static final String SHORT_LIVED_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final String KUBECONFIG = "export KUBECONFIG=";

    private final Path folder;
    private final String shell;
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, String> ports = new HashMap<>();
    private final Deque<RunningProgram> running = new ArrayDeque<>();
    private final List<RunningProgram> watching = new ArrayList<>();
    private @Nullable RunningProgram inScript;
    private String kubeconfigBefore = "";

    DocumentedSession(Path folder) {
        this(folder, "sh");
    }

    DocumentedSession(Path folder, String shell) {
        this.folder = folder;
        this.shell = shell;
        variables.put("HOME", folder.toString());
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("KOPF4J_CACHE", "off");
        variables.put("PATH", Kopf4j.program().getParent() + ":" + KubectlProgram.searchPath());
        variables.putAll(Kubectl.SHORT_LIVED);
    }

    void write(String file, String content) {
        try {
            Files.createDirectories(folder.resolve(file).getParent());
            Files.writeString(folder.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Types a command, and looks at what it writes, or, if that is not shown, whether it succeeds. */
    void type(Command command) {
        if (command.output() == null) {
            run(command.line());
        } else {
            type(command.line(), command.output());
        }
    }

    /** Output that comes after a moment is waited for. */
    private void type(String command, String shown) {
        if (goesOn(command)) {
            RunningProgram program = goOn(command);
            shown.lines().forEach(line -> awaitLine(program, line));
            takeKubeconfig(program);
        } else if (ONLY_READS.matcher(command).matches()) {
            await().atMost(Kopf4j.PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> writes(command, shown));
        } else {
            writes(command, shown);
        }
    }

    /** What goes on does so until another program does, the script ends, or {@code ^C} stands in a scene. */
    private void run(String command) {
        if (command.equals("^C")) {
            endScript();
            return;
        }
        if (goesOn(command)) {
            endScript();
            kubeconfigBefore = variables.getOrDefault("KUBECONFIG", "");
            inScript = goOn(command);
            boolean isOperator = OPERATOR.matcher(command).matches();
            awaitLine(inScript, isOperator ? "[...] The operator is ready[...]" : KUBECONFIG + "[...]");
            takeKubeconfig(inScript);
            return;
        }
        try (RunningProgram program = start(command)) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
        }
    }

    /** Stops what a script has left running, as Ctrl-C does; it has nothing to complain of. */
    void endScript() {
        if (inScript != null) {
            inScript.terminate();
            assertThat(inScript.awaitExit(Kopf4j.PATIENCE)).as("%s", inScript).isIn(0, SIGTERM);
            running.remove(inScript);
            inScript = null;
            variables.put("KUBECONFIG", kubeconfigBefore);
        }
    }

    /** Types what goes on into a terminal of its own; a new cluster takes the place of all that has run until now. */
    void open(String command) {
        if (command.contains("devcluster")) {
            stop();
        }
        RunningProgram program = goOn(command);
        boolean isOperator = OPERATOR.matcher(command).matches();
        awaitLine(program, isOperator ? "[...] The operator is ready[...]" : KUBECONFIG + "[...]");
        takeKubeconfig(program);
    }

    /** Stops what goes on, as Ctrl-C does; nothing has to complain of it. */
    void stop() {
        running.forEach(RunningProgram::terminate);
        for (RunningProgram program : running) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isIn(0, SIGTERM);
        }
        running.clear();
        watching.forEach(RunningProgram::close);
    }

    /** Types a command that shows what happens until it is stopped. */
    void watch(String command) {
        watching.add(start("exec " + command));
    }

    /**
     * Types a command that writes this, maybe only after a moment; {@code ...} alone in a line stands for any lines.
     */
    void awaitOutput(String command, String text) {
        List<String> parts = List.of(text.strip().split("\\n\\.\\.\\.\\n"));
        retry(command, program -> assertThat(program.output()).as("%s", program).containsSubsequence(parts));
    }

    /** Types a command, once if it is more than a look, that ends with this code. */
    void awaitExit(String command, int code) {
        if (ONLY_READS.matcher(command).matches()) {
            retry(
                    command,
                    program -> assertThat(program.awaitExit(Kopf4j.PATIENCE))
                            .as("%s", program)
                            .isEqualTo(code));
        } else {
            try (RunningProgram program = start(command)) {
                assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isEqualTo(code);
            }
        }
    }

    private void retry(String command, Consumer<RunningProgram> expected) {
        await().atMost(Kopf4j.PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    try (RunningProgram program = start(command)) {
                        program.awaitExit(Kopf4j.PATIENCE);
                        expected.accept(program);
                    }
                });
    }

    /** Waits for a line with this text of something that goes on. */
    void awaitLog(String text) {
        await().atMost(Kopf4j.PATIENCE)
                .untilAsserted(() -> assertThat(running)
                        .anySatisfy(program -> assertThat(program.output()).contains(text)));
    }

    static boolean goesOn(String command) {
        return DEV_CLUSTER.matcher(command).matches()
                || OPERATOR.matcher(command).matches();
    }

    private RunningProgram goOn(String command) {
        RunningProgram program = start("exec " + command);
        running.push(program);
        return program;
    }

    /** All that it writes goes to its output, as on a screen. */
    private RunningProgram start(String command) {
        String mine = PORT.matcher(command)
                .replaceAll(port -> ports.computeIfAbsent(port.group(), _ -> freePort()))
                .replace(" /var/", " " + folder + "/var/");
        Map<String, String> environment = new HashMap<>(variables);
        if (OF_THE_JDK.matcher(mine).matches()) {
            environment.put("JAVA_TOOL_OPTIONS", SHORT_LIVED_JVM);
        }
        return RunningProgram.start(folder, environment, List.of(shell, "-c", "exec 2>&1\n" + mine));
    }

    private static String freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writes(String command, String shown) {
        try (RunningProgram program = start(command)) {
            program.awaitExit(Kopf4j.PATIENCE);
            String output = program.output().lines().map(String::stripTrailing).reduce("", (a, b) -> a + b + "\n");
            assertThat(comparable(output.strip()) + "\n").as("%s", command).matches(asShown(shown));
        }
    }

    private static void awaitLine(RunningProgram program, String shown) {
        Pattern line = asShown(shown);
        await().atMost(Kopf4j.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(program.output().lines())
                        .as("%s", program)
                        .anyMatch(said -> line.matcher(comparable(said) + "\n").matches()));
    }

    private void takeKubeconfig(RunningProgram program) {
        program.output()
                .lines()
                .filter(said -> said.startsWith(KUBECONFIG))
                .forEach(said -> variables.put("KUBECONFIG", said.substring(KUBECONFIG.length())));
    }

    /** {@code [...]} stands for anything in a line, and alone in one for any lines. */
    private static Pattern asShown(String shown) {
        StringBuilder pattern = new StringBuilder();
        for (String line : comparable(shown.strip()).split("\\n", -1)) {
            if (line.equals(ANYTHING)) {
                pattern.append("(?:[^\\n]*\\n)*");
            } else {
                pattern.append(Pattern.quote(line).replace(ANYTHING, "\\E[^\\n]*\\Q"))
                        .append("\\n");
            }
        }
        return Pattern.compile(pattern.toString());
    }

    private static String comparable(String output) {
        return VARIABLE.matcher(output).replaceAll("~");
    }

    @Override
    public void close() {
        watching.forEach(RunningProgram::close);
        running.forEach(RunningProgram::close);
    }
}
