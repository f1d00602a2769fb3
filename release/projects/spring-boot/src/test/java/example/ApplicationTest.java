package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;

class ApplicationTest {
    /** Those of Spring Boot count, whatever our bill of materials is made of. */
    @Test
    void noVersionsOfJacksonAreMixed() {
        assertEquals(
                tools.jackson.core.json.PackageVersion.VERSION.toString(),
                tools.jackson.databind.cfg.PackageVersion.VERSION.toString());
    }

    @Test
    void noVersionsOfMicrometerAreMixed() {
        String micrometer = versionOf(io.micrometer.core.instrument.MeterRegistry.class);
        assertEquals(micrometer, versionOf(io.micrometer.observation.ObservationRegistry.class));
        assertEquals(micrometer, versionOf(io.micrometer.common.KeyValue.class));
    }

    /** From the manifest of its archive. */
    private static String versionOf(Class<?> type) {
        return Objects.requireNonNull(type.getPackage().getImplementationVersion());
    }

    @Test
    void theOperatorOfTheApplicationHandlesWhatIsCreated(@TempDir Path folder) throws InterruptedException {
        Path kubeconfig = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start(Options.defaults().kubeconfigFile(kubeconfig));
                var application = SpringApplication.run(Application.class, "--kopf4j.kubeconfig=" + kubeconfig)) {
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: colors}}");
            assertTrue(application.getBean(Application.Labels.class).called.await(20, TimeUnit.SECONDS));
        }
    }
}
