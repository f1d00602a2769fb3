package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of admission, with the real {@code kubectl}: what its README says is what people see. */
@Tag("L70")
class AdmissionExampleTest {
    private static final String NUMBERS = "jsonpath={.spec.numbers}";

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    @Tag("J01")
    @Tag("J02")
    @Tag("J06")
    @Tag("J11")
    void refusesWarnsAndFillsIn() {
        try (RunningProgram operator = Kopf4j.start("run", "--devcluster", "examples/17-admission/Example.java")) {
            operator.awaitLog("The operator is ready", Kopf4j.PATIENCE);
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(operator));
            fillsIn(kubectl);
            warns(kubectl);
            refuses(kubectl);
            doesNothingInDryRuns(kubectl, operator);
            assertThat(operator.errors())
                    .as("warnings of the JVM about the library for rules, which has evaluated the filters of fields")
                    .doesNotContain("sun.misc.Unsafe");
        }
    }

    private void fillsIn(Kubectl kubectl) {
        Path object = TextFile.write(home.resolve("object.yaml"), """
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: mine}
                spec: {owner: alice}
                """);
        assertThat(kubectl.run("create", "-f", object.toString())).isEqualTo("kopfexample.kopf.dev/mine created");
        assertThat(kubectl.run("get", "kex", "mine", "-o", NUMBERS)).isEqualTo("[1,2,3]");
    }

    private static void warns(Kubectl kubectl) {
        assertThat(refusal(kubectl, 0, patch("{\"spec\":{\"numbers\":[\"4\",5]}}")))
                .contains("Warning: '4' is not a number, but can be converted.");
        assertThat(kubectl.run("get", "kex", "mine", "-o", NUMBERS)).isEqualTo("[\"4\",5]");
    }

    private static void refuses(Kubectl kubectl) {
        assertThat(refusal(kubectl, 1, patch("{\"spec\":{\"numbers\":[\"four\"]}}")))
                .contains(
                        "admission webhook \"check-numbers.auto.kopf.dev\" denied the request: Cannot convert 'four' to a number.");
        assertThat(refusal(kubectl, 1, patch("{\"spec\":{\"owner\":\"bob\"}}")))
                .contains(
                        "admission webhook \"keep-the-owner.auto.kopf.dev\" denied the request: The owner stays alice.");
        kubectl.run("label", "kex", "mine", "protected=yes");
        assertThat(refusal(kubectl, 1, "delete", "kex", "mine"))
                .contains("admission webhook \"keep-it.auto.kopf.dev\" denied the request: mine is protected");
        assertThat(kubectl.run("get", "kex", "mine", "-o", NUMBERS)).isEqualTo("[\"4\",5]");
    }

    private static void doesNothingInDryRuns(Kubectl kubectl, RunningProgram operator) {
        kubectl.run(
                "patch", "kex", "mine", "--type", "merge", "--dry-run=server", "-p", "{\"spec\":{\"numbers\":null}}");
        operator.awaitLog("asked, but nothing will be stored", Kopf4j.PATIENCE);
        assertThat(kubectl.run("get", "kex", "mine", "-o", NUMBERS)).isEqualTo("[\"4\",5]");
    }

    private static String[] patch(String body) {
        return new String[] {"patch", "kex", "mine", "--type", "merge", "-p", body};
    }

    /** What kubectl says beside its output. */
    private static String refusal(Kubectl kubectl, int code, String... arguments) {
        try (RunningProgram program = kubectl.start(arguments)) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isEqualTo(code);
            return program.errors();
        }
    }
}
