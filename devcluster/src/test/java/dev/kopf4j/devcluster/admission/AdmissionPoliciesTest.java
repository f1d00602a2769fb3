package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Validating admission policies with bindings and parameters. */
class AdmissionPoliciesTest {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DENIED = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";
    private final InMemory cluster = new InMemory(options -> options);

    private void policy(String spec) {
        String rules = "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE,"
                + " UPDATE, DELETE], resources: [configmaps]}]}";
        create("validatingadmissionpolicies", "p", rules + "\n  " + spec);
    }

    private void binding(String spec) {
        create("validatingadmissionpolicybindings", "b", "policyName: p\n  " + spec);
    }

    private void create(String plural, String name, String spec) {
        ApiResponse made = cluster.send("POST", GROUP + plural, "metadata: {name: " + name + "}\nspec:\n  " + spec);
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(201);
    }

    private JsonNode map(String name, String value) {
        return cluster.json("POST", MAPS, "metadata: {name: " + name + "}\ndata: {size: '" + value + "'}\n");
    }

    @Test
    void aPolicyWithoutABindingDeniesNothing() {
        policy("validations: [{expression: 'false'}]");
        assertThat(map("a", "1").has("kind")).isTrue();
        assertThat(cluster.send("GET", MAPS + "/a", "").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {expression: "object.data.size == '1'"}                                            | 422 | Invalid | failed expression: object.data.size == '1'
            {expression: "false", message: " too big "}                                        | 422 | Invalid | too big
            {expression: "false", message: m, messageExpression: "'size ' + object.data.size"} | 422 | Invalid | size 2
            {expression: "false", message: m, messageExpression: "'a' + object.data.nosuch"}   | 422 | Invalid | m
            {expression: "false", message: m, reason: Forbidden}                               | 403 | Forbidden | m
            {expression: "namespaceObject.metadata.name != 'default'", message: m}             | 422 | Invalid | m
            {expression: "!(request.operation == 'CREATE' && request.name == 'a')", message: m} | 422 | Invalid | m
            {expression: "oldObject != null", message: m}                                      | 422 | Invalid | m
            """)
    void aDenialTellsPolicyBindingAndMessage(String validation, int code, String reason, String message) {
        policy("validations: [" + validation + "]");
        binding("validationActions: [Deny]");
        JsonNode refused = map("a", "2");
        assertThat(refused.path("code").intValue()).isEqualTo(code);
        assertThat(Json.string(refused, "reason")).isEqualTo(reason);
        assertThat(Json.string(refused, "message")).isEqualTo("configmaps \"a\" is forbidden: " + DENIED + message);
        assertThat(Json.string(refused.at("/details/causes/0"), "message")).isEqualTo(DENIED + message);
        assertThat(cluster.send("GET", MAPS + "/a", "").status()).isEqualTo(404);
    }

    @Test
    void aBindingThatWarnsLetsTheRequestPass() {
        policy("validations: [{expression: 'false', message: too big}]");
        binding("validationActions: [Warn, Audit]");
        ApiResponse made = cluster.send("POST", MAPS, "metadata: {name: a}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.headers().toString())
                .contains("Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': too big");
    }

    @Test
    void updatesAndDeletionsAreJudgedByTheFormerObject() {
        policy(
                "validations: [{expression: \"oldObject == null || oldObject.data.size != 'locked'\", message: locked}]");
        binding("validationActions: [Deny]");
        map("a", "locked");
        map("b", "open");
        assertThat(cluster.send("PATCH", MAPS + "/a", "{\"data\":{\"size\":\"1\"}}")
                        .status())
                .isEqualTo(422);
        assertThat(cluster.send("DELETE", MAPS + "/a", "").status()).isEqualTo(422);
        assertThat(cluster.send("PATCH", MAPS + "/b", "{\"data\":{\"size\":\"1\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.send("DELETE", MAPS + "/b", "").status()).isEqualTo(200);
    }

    @Test
    void variablesMayUseEachOtherAndFailOnlyWhereTheyAreUsed() {
        policy("""
                variables:
                  - {name: size, expression: "int(object.data.size)"}
                  - {name: double, expression: "variables.size * 2"}
                  - {name: broken, expression: "object.data.nosuch"}
                  validations: [{expression: "variables.double < 10", message: too big}]
                """);
        binding("validationActions: [Deny]");
        assertThat(Json.string(map("a", "4"), "metadata", "name")).isEqualTo("a");
        assertThat(Json.string(map("b", "5"), "message")).endsWith(DENIED + "too big");
        assertThat(Json.string(map("c", "x"), "message"))
                .contains("expression 'variables.double < 10' resulted in error: ", "composited variable \"double\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Fail   | [{name: c, expression: "object.data.size == '1'"}]                    | 201
            Fail   | [{name: c, expression: "object.data.size == '2'"}]                    | 422
            Fail   | [{name: c, expression: "object.data.nosuch == '2'"}]                  | 422
            Ignore | [{name: c, expression: "object.data.nosuch == '2'"}]                  | 201
            Fail   | [{name: c, expression: "object.data.nosuch == '2'"}, {name: d, expression: "false"}] | 201
            """)
    void conditionsDecideWhetherThePolicyIsAsked(String failurePolicy, String conditions, int status) {
        policy("failurePolicy: " + failurePolicy + "\n  matchConditions: " + conditions
                + "\n  validations: [{expression: 'false'}]");
        binding("validationActions: [Deny]");
        assertThat(cluster.send("POST", MAPS, "metadata: {name: a}\ndata: {size: '2'}")
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}} | 422
            {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}}   | 201
            {objectSelector: {matchLabels: {a: b}}}                                    | 422
            {objectSelector: {matchLabels: {a: c}}}                                    | 201
            {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: ['*']}]} | 201
            {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps], resourceNames: [a]}]} | 422
            {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps], resourceNames: [b]}]} | 201
            {excludeResourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]} | 201
            """)
    void aBindingNarrowsWhatThePolicyMatches(String resources, int status) {
        policy("validations: [{expression: 'false'}]");
        binding("validationActions: [Deny]\n  matchResources: " + resources);
        assertThat(cluster.send("POST", MAPS, "metadata: {name: a, labels: {a: b}}")
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: limits, parameterNotFoundAction: Deny}                          | 3 | ``
            {name: limits, parameterNotFoundAction: Deny}                          | 5 | limit 4
            {name: limits, namespace: default, parameterNotFoundAction: Deny}      | 5 | limit 4
            {name: nosuch, parameterNotFoundAction: Allow}                         | 5 | ``
            {name: nosuch, parameterNotFoundAction: Deny}                          | 5 | failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction
            {selector: {matchLabels: {use: limits}}, parameterNotFoundAction: Deny} | 5 | limit 4
            {selector: {matchLabels: {use: none}}, parameterNotFoundAction: Allow} | 5 | ``
            """, quoteCharacter = '~')
    void parametersComeFromObjectsThatTheBindingNames(String reference, String size, String message) {
        cluster.send("POST", MAPS, "metadata: {name: limits, labels: {use: limits}}\ndata: {max: '4'}");
        policy("""
                paramKind: {apiVersion: v1, kind: ConfigMap}
                  validations:
                  - {expression: "object.data.size <= params.data.max", messageExpression: "'limit ' + params.data.max"}
                """);
        binding("validationActions: [Deny]\n  paramRef: " + reference);
        JsonNode answer = map("a", size);
        String expected = message.equals("``") ? "" : "configmaps \"a\" is forbidden: " + DENIED + message;
        assertThat(Json.string(answer, "message")).isEqualTo(expected);
    }

    @Test
    void anUnknownKindOfParametersMakesThePolicyUnusable() {
        policy("""
                paramKind: {apiVersion: example.com/v1, kind: Limit}
                  validations: [{expression: "true"}]
                """);
        binding("validationActions: [Deny]\n  paramRef: {name: x, parameterNotFoundAction: Deny}");
        assertThat(Json.string(map("a", "1"), "message"))
                .endsWith("ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find"
                        + " resource referenced by paramKind: 'example.com/v1, Kind=Limit'");
    }

    @Test
    void policiesAreNotAskedAboutThemselves() {
        create(
                "validatingadmissionpolicies",
                "p",
                "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions:"
                        + " ['*'], operations: ['*'], resources: ['*']}]}\n  validations: [{expression: 'false'}]");
        binding("validationActions: [Deny]");
        assertThat(cluster.send("POST", MAPS, "metadata: {name: a}").status()).isEqualTo(422);
        assertThat(cluster.send("DELETE", GROUP + "validatingadmissionpolicybindings/b", "")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.send("POST", MAPS, "metadata: {name: a}").status()).isEqualTo(201);
    }

    /** The administrator may do everything; jane may read ConfigMaps, by a role. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            authorizer.group('').resource('configmaps').namespace('default').check('get').allowed()         | true
            authorizer.group('').resource('configmaps').namespace('other').check('get').allowed()           | false
            authorizer.group('').resource('configmaps').namespace('default').check('delete').allowed()      | false
            authorizer.group('apps').resource('configmaps').namespace('default').check('get').allowed()     | false
            authorizer.group('').resource('configmaps').subresource('x').namespace('default').check('get').allowed() | false
            authorizer.group('').resource('configmaps').namespace('default').name('a').check('get').allowed() | true
            authorizer.group('').resource('configmaps').namespace('default').labelSelector('a=b').check('get').allowed() | true
            authorizer.group('').resource('configmaps').namespace('default').check('get').errored()         | false
            authorizer.group('').resource('configmaps').namespace('default').check('get').error() == ''     | true
            authorizer.group('').resource('configmaps').namespace('default').check('get').reason().startsWith('RBAC: allowed by RoleBinding ') | true
            authorizer.group('').resource('configmaps').check('get').reason() == ''                         | true
            authorizer.path('/healthz').check('get').allowed()                                              | true
            authorizer.path('/secret').check('get').allowed()                                               | false
            authorizer.requestResource.check('create').allowed()                                            | true
            authorizer.requestResource.check('delete').allowed()                                            | false
            authorizer.serviceAccount('default', 'robot').group('').resource('configmaps').namespace('default').check('delete').allowed() | true
            authorizer.serviceAccount('other', 'robot').group('').resource('configmaps').namespace('default').check('delete').allowed() | false
            """)
    void expressionsAskWhatTheUserMayDo(String expression, boolean expected) {
        InMemory secured = new InMemory(options -> options.rbac(true));
        right(secured, "jane", "User", "[get, create]");
        right(secured, "system:serviceaccount:default:robot", "User", "[delete]");
        secured.send("POST", GROUP + "validatingadmissionpolicies", """
                metadata: {name: p}
                spec:
                  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
                  matchConditions: [{name: jane, expression: "request.userInfo.username == 'jane'"}]
                  validations: [{expression: "%s"}]
                """.formatted(expression));
        secured.send(
                "POST",
                GROUP + "validatingadmissionpolicybindings",
                "metadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}");
        ApiResponse made = secured.send("POST", MAPS, "metadata: {name: a}", Map.of("impersonate-user", "jane"));
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(expected ? 201 : 422);
    }

    private static void right(InMemory secured, String user, String kind, String verbs) {
        String name = user.replace(':', '-');
        String roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
        secured.send(
                "POST",
                roles + "roles",
                "metadata: {name: " + name + "}\nrules: [{apiGroups: [''], resources: [configmaps], verbs: " + verbs
                        + "}]");
        secured.send(
                "POST",
                roles + "rolebindings",
                "metadata: {name: " + name + "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "
                        + name + "}\nsubjects: [{apiGroup: rbac.authorization.k8s.io, kind: " + kind + ", name: '"
                        + user + "'}]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Fail   | 'v'                                | 201 | ``
            Fail   | null                               | 201 | ``
            Fail   | string(object.data.size)           | 201 | ``
            Fail   | 'a' + object.data.nosuch           | 422 | expression ''a' + object.data.nosuch' resulted in error: no such key: nosuch
            Ignore | 'a' + object.data.nosuch           | 201 | ``
            """)
    void auditAnnotationsThatFailDenyWhateverTheActionsAre(String policy, String value, int status, String message) {
        policy("failurePolicy: " + policy + "\n  auditAnnotations: [{key: k, valueExpression: \"" + value + "\"}]");
        binding("validationActions: [Audit]");
        ApiResponse made = cluster.send("POST", MAPS, "metadata: {name: a}\ndata: {size: '1'}");
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(status);
        String expected = message.equals("``") ? "" : "configmaps \"a\" is forbidden: " + DENIED + message;
        if (status != 201) {
            assertThat(Json.string(Json.parse(InMemory.text(made)), "message")).isEqualTo(expected);
        }
    }

    @Test
    void webhooksAskWhatTheUserMayDoInTheirConditions() {
        ApiResponse made = cluster.send("POST", GROUP + "validatingwebhookconfigurations", """
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {url: "https://127.0.0.1:1/none"}
                  rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
                  matchConditions:
                  - {name: never, expression: "!authorizer.requestResource.check('create').allowed()"}
                """);
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(201);
        assertThat(cluster.send("POST", MAPS, "metadata: {name: a}").status()).isEqualTo(201);
    }
}
