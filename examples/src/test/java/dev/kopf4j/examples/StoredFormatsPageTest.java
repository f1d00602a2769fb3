package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.*;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * What docs/stored.md shows is what operators store. Each block is written to {@code examples/target/stored}, to be
 * copied from there.
 */
class StoredFormatsPageTest {
    @CustomResource(group = "example.com", version = "v1", status = SiteStatus.class)
    record Website(String title, Integer size) {}

    record SiteStatus(Map<String, String> create) {}

    /** Waits once, and has a deletion handler. */
    static class Waiting {
        @OnCreate(model = Website.class)
        Map<String, Object> create(int retry) {
            if (retry == 0) {
                throw new TemporaryException("No room yet.", Duration.ofMinutes(10));
            }
            return Map.of("room", "B12");
        }

        @OnDelete(model = Website.class)
        void delete() {}
    }

    @Test
    @KopfTest(value = Waiting.class, time = TestTime.VIRTUAL)
    void handlersOfChanges(TestClock clock, KubernetesClient client) throws IOException {
        Resource<GenericKubernetesResource> site = create(client);
        clock.advance(Duration.ofMinutes(1));
        assertShown("a creation that waits", site.get());
        clock.advance(Duration.ofMinutes(10));
        assertShown("an object at rest", site.get());
    }

    /** Has sub-handlers, one of which fails for good, and a field of its own. */
    static class Parts {
        @OnCreate(model = Website.class)
        void create(SubHandlers subHandlers) {
            subHandlers.add("dns", context -> null);
            subHandlers.add("mail", context -> {
                throw new PermanentException("The address is refused.");
            });
            subHandlers.add("disk", context -> {
                throw new TemporaryException("Full.", Duration.ofMinutes(10));
            });
        }

        @OnField(model = Website.class, field = "spec.size")
        void grow() {
            throw new TemporaryException("Later.", Duration.ofMinutes(20));
        }
    }

    @Test
    @KopfTest(value = Parts.class, time = TestTime.VIRTUAL)
    void subHandlersAndFields(TestClock clock, KubernetesClient client) throws IOException {
        Resource<GenericKubernetesResource> site = create(client);
        clock.advance(Duration.ofMinutes(1));
        assertShown("sub-handlers and a field", site.get());
    }

    /** Has steps, the second of which waits. */
    static class Stepwise {
        @OnCreate(model = Website.class)
        void create(Steps steps) throws Exception {
            String database = steps.step("database", String.class).undoable().run(() -> "db-7");
            steps.step("mail").intent().run(() -> {
                throw new TemporaryException("No mail for " + database + " yet.", Duration.ofMinutes(10));
            });
        }

        @OnDelete(model = Website.class)
        void delete(Steps steps) throws Exception {
            steps.undo(undo -> undo.step("database", String.class, database -> {}));
        }
    }

    @Test
    @KopfTest(value = Stepwise.class, time = TestTime.VIRTUAL)
    void steps(TestClock clock, KubernetesClient client) throws IOException {
        Resource<GenericKubernetesResource> site = create(client);
        clock.advance(Duration.ofMinutes(1));
        assertShown("steps", site.get());
    }

    /** Has a child, and posts an event. */
    static class Parent {
        @OnReconcile(model = Website.class, children = "configmaps")
        void children(Children children, String name) {
            children.add(Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "ConfigMap",
                    "metadata",
                    Map.of("name", name + "-config"),
                    "data",
                    Map.of("a", "b")));
        }

        @OnCreate(model = Website.class)
        void create() {
            Kopf.info("Created", "The site is there.");
        }
    }

    @Test
    @KopfTest(value = Parent.class, time = TestTime.VIRTUAL)
    void childrenAndEvents(TestClock clock, KubernetesClient client) throws IOException {
        create(client);
        clock.advance(Duration.ofMinutes(1));
        ConfigMap child = client.configMaps()
                .inNamespace("default")
                .withName("shop-config")
                .get();
        assertShown("a child", child);
        assertShown(
                "an event",
                client.v1().events().inNamespace("default").list().getItems().stream()
                        .filter(event -> event.getReason().equals("Created"))
                        .findFirst()
                        .orElseThrow());
    }

    static void leading(OperatorBuilder builder) {
        builder.settings(settings -> {
                    settings.operator().name("sites");
                    settings.leaderElection().enabled(true);
                })
                .onCreate("configmaps", "create", context -> null);
    }

    @Test
    @KopfTest(builder = "leading", time = TestTime.VIRTUAL)
    void leases(TestClock clock, KubernetesClient client) throws IOException {
        clock.advance(Duration.ofMinutes(1));
        assertShown(
                "the lease of a leader",
                client.leases().inNamespace("default").withName("sites").get());
    }

    private static Resource<GenericKubernetesResource> create(KubernetesClient client) {
        var websites = new ResourceDefinitionContext.Builder()
                .withGroup("example.com")
                .withVersion("v1")
                .withPlural("websites")
                .withKind("Website")
                .withNamespaced(true)
                .build();
        var sites = client.genericKubernetesResources(websites).inNamespace("default");
        sites.resource(Serialization.unmarshal("""
                        apiVersion: example.com/v1
                        kind: Website
                        metadata: {name: shop}
                        spec: {title: Shop, size: 3}
                        """, GenericKubernetesResource.class))
                .create();
        return sites.withName("shop");
    }

    /** The object without what the server makes of its own. */
    private static void assertShown(String title, HasMetadata object) throws IOException {
        var copy = Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
        copy.getMetadata().setUid(null);
        copy.getMetadata().setResourceVersion(null);
        copy.getMetadata().setGeneration(null);
        copy.getMetadata().setCreationTimestamp(null);
        copy.getMetadata().setManagedFields(null);
        Object tree = Serialization.unmarshal(Serialization.asJson(copy), Map.class);
        String shown = new Dump(DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setWidth(10_000)
                        .build())
                .dumpToString(tree)
                .replaceAll("uid: .*", "uid: ...")
                .replaceAll("name: kopf-event-.*", "name: kopf-event-...")
                .strip();
        Path folder = Files.createDirectories(Path.of("target", "stored"));
        Files.writeString(folder.resolve(title.replace(' ', '-') + ".yaml"), shown + "\n");
        assertThat(Path.of("..", "docs", "stored.md"))
                .as("the block '%s', see examples/target/stored", title)
                .content()
                .contains("```yaml\n# " + title + "\n" + shown + "\n```");
    }
}
