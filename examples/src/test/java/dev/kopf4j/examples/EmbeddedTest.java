package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example 12: an application with an operator in it, and its handlers alone. */
@Tag("L70")
class EmbeddedTest {
    private static final Path SOURCE = Path.of("12-embedded", "Example.java");

    @Test
    @KopfTest(apply = "12-embedded/crd.yaml", start = false, timeout = KopfExamples.PATIENCE)
    void theApplicationRunsItsOperatorBesideItself(DevCluster cluster, KubernetesClient client, @TempDir Path classes)
            throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-parameters", "-proc:none", "-d", classes.toString());
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(SOURCE))
                            .call())
                    .isTrue();
        }
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
                var printed = new Printed()) {
            Method run = loader.loadClass("Example")
                    .getDeclaredMethod("run", OperatorBuilder.class, KubernetesClient.class, int.class);
            run.setAccessible(true);
            OperatorBuilder operator = Operator.builder()
                    .connection(ConnectionInfo.builder(cluster.url())
                            .token(cluster.token())
                            .build());
            run.invoke(null, operator, client, 2);
            assertThat(printed.lines())
                    .containsExactly(
                            "Starting the main app.",
                            "Do the main app activity here. Step 1/2.",
                            "Hello, kopf-example-1!",
                            "Good bye, kopf-example-1!",
                            "Do the main app activity here. Step 2/2.",
                            "Hello, kopf-example-2!",
                            "Good bye, kopf-example-2!",
                            "Exiting the main app.");
        }
    }

    @Test
    @KopfTest(
            run = {"12-embedded/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void itsHandlersRunWithoutIt(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(KopfExamples.object(client).get());
        assertThat(operator.output()).contains("kopf-example-1 is there.");
        assertThat(KopfExamples.status(client, "createFn")).isEqualTo("kopf-example-1 is there.");
    }
}
