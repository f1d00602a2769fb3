package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a handler has achieved for one object is never written to another object of the same name, nor told of it. */
class RecreatedObjectTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: recreated.guarantees.kopf4j.dev}
            spec:
              scope: Namespaced
              group: guarantees.kopf4j.dev
              names: {kind: Recreated, plural: recreated, singular: recreated}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    static class Slow {
        static final CountDownLatch FIRST_BEGAN = new CountDownLatch(1);
        static final CountDownLatch FIRST_MAY_END = new CountDownLatch(1);

        @OnCreate("recreated.guarantees.kopf4j.dev")
        Map<String, String> created(String uid) throws InterruptedException {
            if (FIRST_BEGAN.getCount() > 0) {
                FIRST_BEGAN.countDown();
                assertThat(FIRST_MAY_END.await(30, TimeUnit.SECONDS)).isTrue();
            }
            Kopf.info("Made", "It is made for " + uid);
            return Map.of("of", uid);
        }
    }

    @Test
    @KopfTest(value = Slow.class, apply = DEFINITION)
    void theNewObjectIsHandledAndHasNothingOfTheOldOne(
            TestedOperator operator, TestCluster cluster, KubernetesClient client) throws InterruptedException {
        String manifest = """
                apiVersion: guarantees.kopf4j.dev/v1
                kind: Recreated
                metadata: {name: x}
                """;
        cluster.apply(manifest);
        assertThat(Slow.FIRST_BEGAN.await(30, TimeUnit.SECONDS)).isTrue();
        NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> objects =
                client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                                .withGroup("guarantees.kopf4j.dev")
                                .withVersion("v1")
                                .withKind("Recreated")
                                .withPlural("recreated")
                                .withNamespaced(true)
                                .build())
                        .inNamespace(cluster.namespace());
        objects.withName("x").delete();
        cluster.apply(manifest);
        Slow.FIRST_MAY_END.countDown();
        operator.awaitHandled(objects.withName("x").require());
        GenericKubernetesResource now = objects.withName("x").require();
        operator.calls("created").forEach(call -> eventIsAbout(call.uid(), operator));
        assertThat(operator.calls("created")).hasSize(2);
        assertThat(now.<Map<String, Map<String, String>>>get("status").get("created"))
                .containsEntry("of", now.getMetadata().getUid());
    }

    /** The event that a late call has posted is about the object of that call, not about what has the name by then. */
    private static void eventIsAbout(String uid, TestedOperator operator) {
        Event event = operator.awaitEvent(
                "about " + uid,
                each -> "Made".equals(each.getReason()) && each.getMessage().endsWith(uid));
        assertThat(event.getInvolvedObject().getUid()).isEqualTo(uid);
    }
}
