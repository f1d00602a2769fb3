package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The first command of the README. */
class MinimalExampleTest {
    private static final String LAST_HANDLED = "kopf.zalando.org/last-handled-configuration";

    @TempDir
    private Path home;

    @Test
    void handlesTheObjectBesideTheSourceAndStopsGracefully() {
        try (RunningProgram operator = start()) {
            Path kubeconfig = Kopf4j.kubeconfig(operator);
            assertThat(kubeconfig).isAbsolute().isReadable();
            assertThat(operator.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE))
                    .contains("[default/kopf-example-1]");
            operator.terminate();
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isZero();
            assertThat(kubeconfig).doesNotExist();
        }
    }

    @Test
    void leavesResultAndLastHandledConfigurationOnTheObject() {
        Kubectl.require();
        try (RunningProgram operator = start()) {
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(operator));
            operator.awaitLog("Creation is processed: 1 succeeded; 0 failed.", Kopf4j.PATIENCE);
            kubectl.awaitOutput(yaml -> assertThat(yaml).contains(LAST_HANDLED), "get", "kex", "-o", "yaml");

            assertThat(kubectl.run("get", "kex", "-o", "yaml")).contains("createFn:", LAST_HANDLED + ": |");
            assertThat(kubectl.run("get", "kex")).contains("Hello, kopf-example-1!");
            JsonNode object = kubectl.json("kex", "kopf-example-1");
            assertThat(object.at("/status/createFn/message").stringValue()).isEqualTo("Hello, kopf-example-1!");
            assertIsEssence(object.at("/metadata/annotations").get(LAST_HANDLED).stringValue());
        }
    }

    private static RunningProgram start() {
        return Kopf4j.start("run", "--devcluster", "examples/01-minimal/Example.java");
    }

    /** As in golden trace T1: compact, and with a newline behind it. */
    private static void assertIsEssence(String text) {
        String essence = """
                {"spec":{"duration":"1m","field":"value","items":["item1","item2"]},\
                "metadata":{"labels":{"somelabel":"somevalue"},"annotations":{"someannotation":"somevalue"}}}""";
        assertThat(text).endsWith("}\n").doesNotContain(" ").hasSize(essence.length() + 1);
        assertThat(JsonMapper.shared().readTree(text))
                .isEqualTo(JsonMapper.shared().readTree(essence));
    }
}
