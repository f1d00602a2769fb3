package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OnCreate;
import dev.kopf4j.testing.assertion.KopfAssertions;
import dev.kopf4j.testing.assertion.UsedRight;
import dev.kopf4j.testing.recording.RecordedRequest;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test fails if the operator has used rights that its role does not have. */
@Tag("N03")
class RightsTest {
    private static final String ROLE = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: operator, namespace: default}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: operator}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: [list, watch, patch]}
            - {apiGroups: [""], resources: [events], verbs: [create, patch]}
            - {apiGroups: [""], resources: [namespaces], verbs: [list, watch]}
            - {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [list, watch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: operator}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
            subjects:
            - {kind: ServiceAccount, name: operator, namespace: default}
            """;

    static class Modest {
        @OnCreate("configmaps")
        String create() {
            return "done";
        }
    }

    static class Greedy {
        @OnCreate("configmaps")
        void create(KubernetesClient client) {
            client.secrets().withName("x").get();
        }
    }

    @Test
    @KopfTest(value = Modest.class, apply = ROLE, serviceAccount = "operator", time = TestTime.VIRTUAL)
    void theRoleSuffices(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(ROLE);
    }

    @Test
    @KopfTest(value = Greedy.class, time = TestTime.VIRTUAL)
    void usedRightsAreComparedWithTheRole(TestedOperator operator, KubernetesClient client) {
        client.resource(configMap("x")).create();
        operator.awaitCalls("create", 1);
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(ROLE))
                .hasMessageContaining("but these are missing:\n  get secrets in 'default'; add: {apiGroups: [\"\"],"
                        + " resources: [\"secrets\"], verbs: [\"get\"]}");
    }

    private static final String PATCHING = ROLE + """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: patching}
            rules:
            - {apiGroups: [""], resources: [secrets], verbs: [patch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: patching}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: patching}
            subjects:
            - {kind: ServiceAccount, name: operator, namespace: default}
            """;

    static class Applying {
        @OnCreate("configmaps")
        void create(KubernetesClient client) {
            client.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName("x")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
    }

    @Test
    @KopfTest(value = Applying.class, time = TestTime.VIRTUAL)
    void anApplyThatCreatesNeedsBothRights(TestedOperator operator, KubernetesClient client) {
        client.resource(configMap("x")).create();
        operator.awaitCalls("create", 1);
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(ROLE))
                .hasMessageContainingAll("patch secrets in 'default'", "create secrets in 'default'");
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(PATCHING))
                .hasMessageEndingWith("but these are missing:\n  create secrets in 'default'; add: {apiGroups: [\"\"],"
                        + " resources: [\"secrets\"], verbs: [\"create\"]}");
    }

    @Test
    @KopfTest(value = Modest.class, apply = ROLE, serviceAccount = "operator", time = TestTime.VIRTUAL)
    void theAccountStaysLoggedInForDays(TestClock clock, TestedOperator operator, KubernetesClient client) {
        clock.advance(Duration.ofDays(3));
        operator.awaitHandled(client.resource(configMap("x")).create());
    }

    static class Teams {
        @OnCreate("namespaces")
        Map<String, String> create() {
            return Map.of("size", "5");
        }
    }

    private static final String OF_NAMESPACES = ROLE + """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: teams}
            rules:
            - {apiGroups: [""], resources: [namespaces, namespaces/status], verbs: [patch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: teams}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: teams}
            subjects:
            - {kind: ServiceAccount, name: operator, namespace: default}
            """;

    @Test
    @KopfTest(value = Teams.class, apply = OF_NAMESPACES, serviceAccount = "operator", time = TestTime.VIRTUAL)
    void theStatusOfANamespaceIsASubresource(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("team")
                        .endMetadata()
                        .build())
                .create());
        KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(OF_NAMESPACES);
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(ROLE))
                .hasMessageContaining(
                        "add: {apiGroups: [\"\"], resources: [\"namespaces/status\"], verbs: [\"patch\"]}");
    }

    static class Choosy {
        @OnCreate("configmaps")
        void create(KubernetesClient client) {
            client.secrets().withField("metadata.name", "one").list();
        }
    }

    private static String secret(String name, String verb) {
        return ROLE + """
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: secret}
                rules:
                - {apiGroups: [""], resources: [secrets], resourceNames: [%s], verbs: [%s]}
                """.formatted(name, verb);
    }

    @Test
    @KopfTest(value = Choosy.class, time = TestTime.VIRTUAL)
    void whoSelectsAnObjectByItsNameNeedsTheRightForItAlone(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(secret("one", "list"));
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(secret("two", "list")))
                .hasMessageContaining("list secrets in 'default'");
    }

    /** The server has names for reading alone. */
    @Test
    void aCollectionCannotBeDeletedByTheRightForOneObject() {
        assertThat(UsedRight.of(request("DELETE", "/api/v1/namespaces/default/secrets", "one")))
                .containsExactly(new UsedRight("deletecollection", "", "secrets", "default", ""));
    }

    /** A role there lets change it. */
    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/team,          namespaces,          team",
        "/api/v1/namespaces/team/status,   namespaces/status,   team",
        "/api/v1/namespaces/team/finalize, namespaces/finalize, team"
    })
    void aNamespaceIsInItself(String path, String resource, String namespace) {
        assertThat(UsedRight.of(request("PATCH", path, "")))
                .containsExactly(new UsedRight("patch", "", resource, namespace, namespace));
    }

    private static RecordedRequest request(String method, String path, String selectedName) {
        return new RecordedRequest(
                "kopf4j",
                method,
                path,
                new RecordedRequest.Query(selectedName, false, false),
                200,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void anApplyThatMayNotCreateFailsTheTestWithTheRightToAdd() {
        assertThat(FailingTests.report(Failing.class, "appliesWhatIsNotThere"))
                .contains("cannot create resource \"secrets\"")
                .contains("add to the role: {apiGroups: [\"\"], resources: [\"secrets\"], verbs: [\"create\"]}")
                .doesNotContain("add to the role: {apiGroups: [\"\"], resources: [\"secrets\"], verbs: [\"patch\"]}");
    }

    @Disabled("run by the tests around it")
    static class Failing {
        @Test
        @KopfTest(value = Applying.class, apply = PATCHING, serviceAccount = "operator", time = TestTime.VIRTUAL)
        void appliesWhatIsNotThere(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitCalls("create", 1);
        }

        @Test
        @KopfTest(value = Greedy.class, apply = ROLE, serviceAccount = "operator")
        void usesMore(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitCalls("create", 1);
        }
    }

    @Test
    void whatIsForbiddenFailsTheTest() {
        assertThat(FailingTests.report(Failing.class, "usesMore"))
                .contains("the operator has used rights that its role does not have:\n  secrets \"x\" is forbidden:"
                        + " User \"system:serviceaccount:default:operator\" cannot get resource \"secrets\"")
                .contains("add to the role: {apiGroups: [\"\"], resources: [\"secrets\"], verbs: [\"get\"]}")
                .contains("What has happened:");
    }

    @Test
    @KopfTest(value = NoRights.class, time = TestTime.VIRTUAL)
    void rolesMayBeOnOneLine(TestedOperator operator) {
        operator.awaitIdle();
        KopfAssertions.assertThat(operator)
                .hasUsedOnlyRightsOf(
                        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: x},"
                                + " rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}");
        assertThatThrownBy(() -> KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf("role.yaml"))
                .hasMessageContaining("the roles are YAML, or JSON, and not the name of a file: role.yaml");
    }

    static class NoRights {
        @dev.kopf4j.OnCreate("configmaps")
        void create() {}
    }
}
