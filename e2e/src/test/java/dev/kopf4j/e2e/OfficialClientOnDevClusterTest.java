package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.google.gson.reflect.TypeToken;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.io.IOException;
import java.io.StringReader;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The basic calls of the official Java client, over TLS, with a token, and RBAC on. */
class OfficialClientOnDevClusterTest {
    private static final String NAMESPACE = "default";

    private DevCluster cluster;
    private ApiClient client;
    private CoreV1Api api;

    @BeforeEach
    void start() throws IOException {
        cluster = DevCluster.start(Options.defaults().https(true).rbac(true));
        client = Config.fromConfig(new StringReader(cluster.kubeconfig()));
        client.setReadTimeout(0);
        api = new CoreV1Api(client);
    }

    @AfterEach
    void stop() {
        client.getHttpClient().dispatcher().executorService().shutdownNow();
        client.getHttpClient().connectionPool().evictAll();
        cluster.close();
    }

    private static V1ConfigMap map(String name, String value) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(name).putLabelsItem("app", name))
                .putDataItem("key", value);
    }

    private V1ConfigMap create(String name, String value) throws ApiException {
        return api.createNamespacedConfigMap(NAMESPACE, map(name, value)).execute();
    }

    private V1ConfigMap patch(String name, String format, String patch) throws ApiException {
        return PatchUtils.patch(
                V1ConfigMap.class,
                () -> api.patchNamespacedConfigMap(name, NAMESPACE, new V1Patch(patch))
                        .fieldManager(format.equals(V1Patch.PATCH_FORMAT_APPLY_YAML) ? "me" : null)
                        .buildCall(null),
                format,
                client);
    }

    @Test
    void createsReadsAndDeletes() throws ApiException {
        V1ConfigMap created = create("a", "1");
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(created.getMetadata().getCreationTimestamp())
                .isCloseTo(OffsetDateTime.now(ZoneOffset.UTC), within(1, ChronoUnit.MINUTES));
        create("b", "2");
        assertThat(api.readNamespacedConfigMap("a", NAMESPACE).execute()).isEqualTo(created);
        V1ConfigMapList found =
                api.listNamespacedConfigMap(NAMESPACE).labelSelector("app=b").execute();
        assertThat(found.getItems())
                .singleElement()
                .satisfies(map -> assertThat(map.getData()).containsEntry("key", "2"));
        V1ConfigMapList page = api.listNamespacedConfigMap(NAMESPACE).limit(1).execute();
        assertThat(page.getMetadata().getContinue()).isNotEmpty();
        api.deleteNamespacedConfigMap("a", NAMESPACE).execute();
        assertThatThrownBy(() -> api.readNamespacedConfigMap("a", NAMESPACE).execute())
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.getCode()).isEqualTo(404));
    }

    @Test
    void replacesOnlyTheStateThatItKnows() throws ApiException {
        V1ConfigMap created = create("a", "1");
        V1ConfigMap replaced = api.replaceNamespacedConfigMap("a", NAMESPACE, created.putDataItem("key", "2"))
                .execute();
        assertThat(replaced.getData()).containsEntry("key", "2");
        assertThatThrownBy(() -> api.replaceNamespacedConfigMap("a", NAMESPACE, created.putDataItem("key", "3"))
                        .execute())
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    }

    @Test
    void patchesInAllFormats() throws ApiException {
        create("a", "1");
        assertThat(patch("a", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"merged\":\"x\"}}")
                        .getData())
                .containsOnlyKeys("key", "merged");
        assertThat(patch("a", V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"remove\",\"path\":\"/data/merged\"}]")
                        .getData())
                .containsOnlyKeys("key");
        assertThat(patch("a", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"key\":null,\"b\":\"c\"}}")
                        .getData())
                .containsOnlyKeys("b");
        assertThat(patch(
                                "a",
                                V1Patch.PATCH_FORMAT_APPLY_YAML,
                                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
                                        + "\"data\":{\"applied\":\"x\"}}")
                        .getData())
                .containsOnlyKeys("b", "applied");
    }

    @Test
    void watches() throws ApiException, IOException {
        String version = create("a", "1").getMetadata().getResourceVersion();
        List<String> events = new ArrayList<>();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(
                client,
                api.listNamespacedConfigMap(NAMESPACE)
                        .resourceVersion(version)
                        .watch(true)
                        .buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            patch("a", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"key\":\"2\"}}");
            api.deleteNamespacedConfigMap("a", NAMESPACE).execute();
            while (events.size() < 2) {
                Watch.Response<V1ConfigMap> event = watch.next();
                events.add(event.type + " " + event.object.getData().get("key"));
            }
        }
        assertThat(events).containsExactly("MODIFIED 2", "DELETED 2");
    }

    @Test
    void keepsAnInformerUpToDate() throws ApiException {
        create("a", "1");
        SharedInformerFactory factory = new SharedInformerFactory(client);
        try {
            SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
                    (CallGeneratorParams params) -> api.listNamespacedConfigMap(NAMESPACE)
                            .resourceVersion(params.resourceVersion)
                            .timeoutSeconds(params.timeoutSeconds)
                            .watch(params.watch)
                            .buildCall(null),
                    V1ConfigMap.class,
                    V1ConfigMapList.class);
            factory.startAllRegisteredInformers();
            await().atMost(Kopf4j.PATIENCE).until(informer::hasSynced);
            create("b", "2");
            patch("a", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"key\":\"5\"}}");
            await().atMost(Kopf4j.PATIENCE).untilAsserted(() -> {
                assertThat(informer.getIndexer().listKeys()).containsExactlyInAnyOrder("default/a", "default/b");
                assertThat(informer.getIndexer().getByKey("default/a").getData())
                        .containsEntry("key", "5");
            });
        } finally {
            factory.stopAllRegisteredInformers();
        }
    }

    @Test
    void handlesCustomObjectsToo() {
        cluster.apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: examples.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: examples, kind: Example}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        var examples = new DynamicKubernetesApi("kopf.dev", "v1", "examples", client);
        DynamicKubernetesObject object = new DynamicKubernetesObject();
        object.setApiVersion("kopf.dev/v1");
        object.setKind("Example");
        object.setMetadata(new V1ObjectMeta().name("a").namespace(NAMESPACE).annotations(Map.of("b", "c")));
        assertThat(examples.create(object).isSuccess()).isTrue();
        assertThat(examples.get(NAMESPACE, "a").getObject().getMetadata().getAnnotations())
                .containsEntry("b", "c");
        assertThat(examples.list(NAMESPACE).getObject().getItems()).hasSize(1);
        assertThat(examples.delete(NAMESPACE, "a").isSuccess()).isTrue();
        assertThat(examples.get(NAMESPACE, "a").getHttpStatusCode()).isEqualTo(404);
    }
}
