package dev.kopf4j.devcluster.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RbacAuthorizerTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final InMemory cluster = new InMemory(options -> options.rbac(true));

    private ApiResponse as(String user, String method, String path, String body) {
        return cluster.send(method, path, body, Map.of("impersonate-user", user));
    }

    private static String binding(String name, String kind, String role, String user) {
        return """
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: '%s'}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: '%s'}]
                """.formatted(name, kind, role, user);
    }

    private static String role(String name, String resources, String verbs) {
        return "metadata: {name: " + name + "}\nrules: [{apiGroups: [''], resources: [" + resources + "], verbs: ["
                + verbs + "]}]\n";
    }

    @BeforeEach
    void bind() {
        for (String role : new String[] {"view", "edit", "admin", "cluster-admin"}) {
            assertThat(cluster.send("POST", RBAC + "rolebindings", binding(role, "ClusterRole", role, role))
                            .status())
                    .isEqualTo(201);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "view, GET, 200",
        "view, POST, 403",
        "edit, GET, 200",
        "edit, POST, 201",
        "admin, POST, 201",
        "cluster-admin, POST, 201",
        "nobody, GET, 403"
    })
    void everyClusterHasTheUsualRoles(String user, String method, int status) {
        assertThat(as(user, method, MAPS, method.equals("POST") ? "metadata: {name: a}" : "")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void everyClusterHasTheRolesOfComponents() {
        String reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
        assertThat(as("proxy", "POST", reviews, "spec: {token: x}").status()).isEqualTo(403);
        cluster.send(
                "POST",
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                binding("proxy", "ClusterRole", "system:auth-delegator", "proxy"));
        assertThat(as("proxy", "POST", reviews, "spec: {token: x}").status()).isEqualTo(201);
        assertThat(as("system:kube-proxy", "GET", "/api/v1/nodes", "").status()).isEqualTo(200);
    }

    @Test
    void withAlwaysAllowNobodyIsRefusedAndUsersAreToldApart() {
        InMemory open = new InMemory(options -> options.alwaysAllow(true));
        Map<String, String> nobody = Map.of("impersonate-user", "nobody");
        assertThat(open.send("POST", MAPS, "metadata: {name: a}", nobody).status())
                .isEqualTo(201);
        assertThat(open.send("POST", RBAC + "rolebindings", binding("all", "ClusterRole", "cluster-admin", "x"), nobody)
                        .status())
                .isEqualTo(201);
        // But nobody without credentials: a real server has no anonymous users then.
        assertThat(open.send("GET", MAPS, "", Map.of("authorization", "Basic YTpi"))
                        .status())
                .isEqualTo(401);
        String review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        assertThat(InMemory.text(open.send("POST", review, "{}", nobody))).contains("nobody");
        assertThat(open.send("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/view", "", nobody)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aNameInARuleIsNoPattern() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        cluster.send("POST", RBAC + "roles", """
                metadata: {name: named}
                rules: [{apiGroups: [''], resources: [configmaps], verbs: [get], resourceNames: ['*']}]
                """);
        cluster.send("POST", RBAC + "rolebindings", binding("named", "Role", "named", "somebody"));
        assertThat(as("somebody", "GET", MAPS + "/a", "").status()).isEqualTo(403);
    }

    @Test
    void labelledRolesBelongToThoseThatAggregateThem() {
        String pods = "/apis/kopf.dev/v1/namespaces/default/examples";
        assertThat(as("view", "GET", pods, "").status()).isEqualTo(403);
        cluster.send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", """
                metadata: {name: more, labels: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}}
                rules: [{apiGroups: [kopf.dev], resources: [examples], verbs: [list]}]
                """);
        assertThat(as("view", "GET", pods, "").status()).isEqualTo(404);
        assertThat(as("admin", "GET", pods, "").status()).isEqualTo(404);
    }

    @Test
    void nobodyGivesRightsThatHeHasNot() {
        ApiResponse refused = as("admin", "POST", RBAC + "roles", role("nodes", "nodes", "get"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(InMemory.text(refused)).contains("attempting to grant RBAC permissions not currently held");
        assertThat(as("admin", "POST", RBAC + "roles", role("stars", "'*'", "'*'"))
                        .status())
                .isEqualTo(403);
        assertThat(as("admin", "POST", RBAC + "rolebindings", binding("b", "ClusterRole", "cluster-admin", "x"))
                        .status())
                .isEqualTo(403);
        assertThat(as("admin", "POST", RBAC + "roles", role("maps", "configmaps", "get, list"))
                        .status())
                .isEqualTo(201);
        assertThat(as(
                                "admin",
                                "PATCH",
                                RBAC + "roles/maps",
                                "{\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"nodes\"],"
                                        + "\"verbs\":[\"get\"]}]}")
                        .status())
                .isEqualTo(403);
        assertThat(as("admin", "POST", RBAC + "rolebindings", binding("c", "Role", "maps", "x"))
                        .status())
                .isEqualTo(201);
        assertThat(as("x", "GET", MAPS, "").status()).isEqualTo(200);
        assertThat(as("cluster-admin", "POST", RBAC + "roles", role("stars", "'*'", "'*'"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void rightsToEscalateAndToBindLiftThat() {
        cluster.send("POST", RBAC + "roles", """
                metadata: {name: giver}
                rules:
                - {apiGroups: [rbac.authorization.k8s.io], resources: [roles, rolebindings], verbs: [create, escalate]}
                - {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind]}
                """);
        cluster.send("POST", RBAC + "rolebindings", binding("giver", "Role", "giver", "giver"));
        assertThat(as("giver", "POST", RBAC + "roles", role("nodes", "nodes", "get"))
                        .status())
                .isEqualTo(201);
        assertThat(as("giver", "POST", RBAC + "rolebindings", binding("d", "ClusterRole", "edit", "y"))
                        .status())
                .isEqualTo(201);
    }

    private static String review(String user, String resource) {
        return "spec: {user: " + user + ", resourceAttributes: {verb: list, resource: " + resource
                + ", namespace: default}}";
    }

    @Test
    void reviewsTellWhichBindingAllows() {
        String reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        assertThat(cluster.json("POST", reviews, review("view", "pods")).path("status"))
                .isEqualTo(
                        Json.parse("{\"allowed\":true,\"reason\":\"RBAC: allowed by RoleBinding \\\"view/default\\\" of"
                                + " ClusterRole \\\"view\\\" to User \\\"view\\\"\"}"));
        assertThat(cluster.json("POST", reviews, review("view", "nodes")).path("status"))
                .isEqualTo(Json.parse("{\"allowed\":false}"));
    }

    @Test
    void everybodyKnowsWhatHeMayDoAtLeast() {
        ApiResponse rules = as(
                "nobody",
                "POST",
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                "spec: {namespace: default}");
        assertThat(InMemory.text(rules)).contains("selfsubjectaccessreviews", "selfsubjectreviews", "/openapi/*");
    }

    @Test
    void groupsAloneAreNotImpersonated() {
        assertThat(cluster.send("GET", MAPS, "", Map.of("impersonate-group", "g"))
                        .status())
                .isEqualTo(500);
    }

    /** The writer of bindings has no other rights. */
    private void letWriteBindings(String user) {
        String rules = "rules: [{apiGroups: [rbac.authorization.k8s.io], resources: ['*'], verbs: ['*']}]\n"
                .replace("'*']}]", "create, update, patch, get]}]");
        String path = "/apis/rbac.authorization.k8s.io/v1/";
        assertThat(cluster.send("POST", path + "clusterroles", "metadata: {name: writer}\n" + rules)
                        .status())
                .isEqualTo(201);
        assertThat(cluster.send("POST", path + "clusterrolebindings", binding("writer", "ClusterRole", "writer", user))
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "Role, none, 404, roles.rbac.authorization.k8s.io \"none\" not found",
        "ClusterRole, none, 404, clusterroles.rbac.authorization.k8s.io \"none\" not found",
        "ClusterRole, writer, 201, ''",
        "ClusterRole, cluster-admin, 403, attempting to grant RBAC permissions not currently held",
    })
    void aRoleIsBoundOnlyIfItIsThereAndItsRightsAreHeld(String kind, String role, int code, String message) {
        letWriteBindings("wendy");
        ApiResponse response = as("wendy", "POST", RBAC + "rolebindings", binding("new", kind, role, "x"));
        assertThat(response.status()).isEqualTo(code);
        assertThat(InMemory.text(response).replace("\\", "")).contains(message);
    }

    @Test
    void ownersAndFinalizersOfABindingMayChangeWhateverItGives() {
        letWriteBindings("wendy");
        String path = RBAC + "rolebindings/cluster-admin";
        assertThat(as("wendy", "PATCH", path, "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}")
                        .status())
                .isEqualTo(200);
        assertThat(as("wendy", "PATCH", path, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void onlyWhoMayDoEverythingAggregatesRoles() {
        letWriteBindings("wendy");
        String role = "metadata: {name: sum}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\n";
        ApiResponse response = as("wendy", "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
        assertThat(response.status()).isEqualTo(403);
        assertThat(InMemory.text(response)).contains("must have cluster-admin privileges to use the aggregationRule");
    }

    @Test
    void whoCreatesByPatchOrUpdateNeedsTheRightToCreate() {
        cluster.send("POST", RBAC + "roles", role("writer", "configmaps", "patch, update, get"));
        cluster.send("POST", RBAC + "rolebindings", binding("writer", "Role", "writer", "writer"));
        cluster.send("POST", RBAC + "roles", """
                metadata: {name: leases}
                rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [update]}]
                """);
        cluster.send("POST", RBAC + "rolebindings", binding("leases", "Role", "leases", "writer"));
        String map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}";
        Map<String, String> writer =
                Map.of("impersonate-user", "writer", "content-type", "application/apply-patch+yaml");
        ApiResponse refused = cluster.send("PATCH", MAPS + "/x?fieldManager=m", map, writer);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(InMemory.text(refused)).contains("User \\\"writer\\\" cannot create resource");
        String lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/x";
        assertThat(as("writer", "PUT", lease, "metadata: {name: x}").status()).isEqualTo(403);
        cluster.send("POST", MAPS, map);
        assertThat(cluster.send("PATCH", MAPS + "/x?fieldManager=m", map, writer)
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"impersonate-uid, u", "impersonate-extra-scopes, s", "impersonate-group, g"})
    void eachPartOfAnotherUserNeedsARight(String header, String value) {
        cluster.send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", """
                metadata: {name: users}
                rules: [{apiGroups: [''], resources: [users], verbs: [impersonate]}]
                """);
        cluster.send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
                metadata: {name: users}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: users}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: system:anonymous}]
                """);
        String path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        Map<String, String> user = Map.of("authorization", "", "impersonate-user", "view");
        Map<String, String> more = new HashMap<>(user);
        more.put(header, value);
        assertThat(cluster.send("POST", path, "{}", user).status()).isEqualTo(201);
        assertThat(cluster.send("POST", path, "{}", more).status()).isEqualTo(403);
        ApiResponse nobody = cluster.send("POST", path, "{}", Map.of(header, value));
        assertThat(nobody.status()).isEqualTo(500);
        assertThat(InMemory.text(nobody)).contains("without impersonating a user");
    }

    @Test
    void aGroupMayHaveCommasInIt() {
        ApiResponse response = cluster.send(
                "POST",
                "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                "{}",
                Map.of("impersonate-user", "a", "impersonate-group", "one\n,,,two"));
        assertThat(InMemory.text(response)).contains("\"groups\":[\"one\",\",,,two\",\"system:authenticated\"]");
    }
}
