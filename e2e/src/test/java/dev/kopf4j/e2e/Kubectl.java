package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The real {@code kubectl}, with a cluster and a home folder of its own. */
final class Kubectl {
    private static final int LEAST_MINOR = 30;
    /** With which the sessions were recorded. */
    static final int RECORDED_MINOR = 33;

    private static final Pattern MINOR = Pattern.compile("\"minor\"\\s*:\\s*\"(\\d+)");

    /** It ends before its garbage would matter, and to collect it takes a third of the work. */
    static final Map<String, String> SHORT_LIVED = Map.of("GOGC", "off");

    private final Map<String, String> environment;
    private final Path folder;

    private Kubectl(Path home, Path kubeconfig) {
        this.folder = home;
        this.environment = Map.of("HOME", home.toString(), "KUBECONFIG", kubeconfig.toString());
    }

    /** Skips the calling test, loudly, if there is no kubectl of a version that is new enough. */
    static void require() {
        String lack = KubectlProgram.lack(LEAST_MINOR);
        if (!lack.isEmpty()) {
            String message = "SKIPPED: " + lack + "; install kubectl >= 1." + LEAST_MINOR + " to run this test";
            System.err.println(message);
            Assumptions.abort(message);
        }
    }

    /** Skips the calling test, loudly, if kubectl is not of the version that sessions were recorded with. */
    static void requireRecorded(Path home, Path kubeconfig) {
        // Some installations choose the client by the version that the server has.
        Matcher minor = MINOR.matcher(of(home, kubeconfig).run("version", "-o", "json"));
        if (!minor.find() || Integer.parseInt(minor.group(1)) != RECORDED_MINOR) {
            String message = "SKIPPED: the sessions were recorded with kubectl 1." + RECORDED_MINOR
                    + "; install that to run this test";
            System.err.println(message);
            Assumptions.abort(message);
        }
    }

    /** The cluster of a kubeconfig. */
    static Kubectl of(Path home, Path kubeconfig) {
        return new Kubectl(home, kubeconfig);
    }

    /** Starts a command that goes on, such as {@code get -w}. */
    RunningProgram start(String... arguments) {
        return start(Map.of(), arguments);
    }

    private RunningProgram start(Map<String, String> more, String... arguments) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.putAll(SHORT_LIVED);
        variables.putAll(more);
        List<String> command = new ArrayList<>(List.of(KubectlProgram.path().toString()));
        command.addAll(List.of(arguments));
        return RunningProgram.start(folder, variables, command);
    }

    /** Runs a command that must succeed, and returns what it has written. */
    String run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** The same with further environment variables. */
    String run(Map<String, String> more, String... arguments) {
        try (RunningProgram program = start(more, arguments)) {
            int code = program.awaitExit(Kopf4j.PATIENCE);
            assertThat(code).as("the exit code of %s", program).isZero();
            return program.output();
        }
    }

    /** Gets an object or a list as JSON. */
    JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of("get", "-o", "json"));
        all.addAll(List.of(arguments));
        return JsonMapper.shared().readTree(run(all.toArray(String[]::new)));
    }

    /** Repeats a command that must succeed until its output passes the check. */
    void awaitOutput(Consumer<String> check, String... arguments) {
        await().atMost(Kopf4j.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> check.accept(run(arguments)));
    }

    /** Repeats a command that must succeed until it writes exactly this. */
    void awaitOutput(String expected, String... arguments) {
        awaitOutput(output -> assertThat(output).isEqualTo(expected), arguments);
    }
}
