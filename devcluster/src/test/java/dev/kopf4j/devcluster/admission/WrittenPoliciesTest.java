package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * What is refused when policies and bindings are written, by
 * {@code pkg/apis/admissionregistration/validation/validation.go} of Kubernetes v1.33.
 */
class WrittenPoliciesTest {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String RULES =
            "resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]";
    private final InMemory cluster = new InMemory(options -> options);

    private List<String> causes(String plural, String spec) {
        JsonNode answer = cluster.json("POST", GROUP + plural, "metadata: {name: p}\nspec: {" + spec + "}");
        return answer.at("/details/causes")
                .valueStream()
                .map(cause -> Json.string(cause, "field") + " " + Json.string(cause, "message"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '~', textBlock = """
            {expression: "true"} ; ``
            {expression: "object.a.b == 1 && request.name != ''"} ; ``
            {expression: "authorizer.path('/x').check('get').allowed()"} ; ``
            {expression: "namespaceObject.metadata.labels['a'] == 'b'"} ; ``
            {expression: "object.flag"} ; spec.validations[0].expression Invalid value: "object.flag": must evaluate to bool but got dyn
            {expression: "[1]"} ; spec.validations[0].expression Invalid value: "[1]": must evaluate to bool but got list(int)
            {expression: "{'a': object}"} ; spec.validations[0].expression Invalid value: "{'a': object}": must evaluate to bool but got map(string, dyn)
            {expression: " "} ; spec.validations[0].expression Required value: expression is not specified
            {expression: "request.nosuch == 1"} ; spec.validations[0].expression Invalid value: "request.nosuch == 1": compilation failed: ERROR: <input>:1:8: undefined field 'nosuch'NL | request.nosuch == 1NL | .......^
            {expression: "params == null"} ; spec.validations[0].expression Invalid value: "params == null": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')NL | params == nullNL | ^
            {expression: "true", message: " "} ; spec.validations[0].message Invalid value: " ": message must be non-empty if specified
            {expression: "true", messageExpression: " "} ; spec.validations[0].messageExpression Invalid value: " ": must be non-empty if specified
            {expression: "true", messageExpression: "authorizer"} ; spec.validations[0].messageExpression Invalid value: "authorizer": compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')NL | authorizerNL | ^
            {expression: "true", reason: Conflict} ; spec.validations[0].reason Unsupported value: "Conflict": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"
            """)
    void validationsAreCompiled(String validation, String cause) {
        List<String> causes = causes(
                "validatingadmissionpolicies", "matchConstraints: {" + RULES + "}, validations: [" + validation + "]");
        assertThat(causes).isEqualTo(cause.equals("``") ? List.of() : List.of(cause.replace("NL", "\n")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            variables: [{name: 'n', expression: "1"}, {name: m, expression: "variables.n + 1"}] | variables.m == 2 | ``
            variables: [{name: 'n', expression: "1"}]             | variables.n == 'a'  | spec.validations[0].expression
            variables: [{name: 'n', expression: "1"}]             | variables.m == 1    | spec.validations[0].expression
            variables: [{name: 'n', expression: "variables.m"}, {name: m, expression: "1"}] | true | spec.variables[0].expression
            variables: [{name: for, expression: "1"}]           | true                | spec.variables[0].name
            variables: [{name: 1a, expression: "1"}]            | true                | spec.variables[0].name
            variables: [{name: "", expression: ""}]             | true                | spec.variables[0].name spec.variables[0].expression
            paramKind: {apiVersion: v1, kind: ConfigMap}        | params.data.a == '' | ``
            paramKind: {apiVersion: "", kind: ""}               | true                | spec.paramKind.apiVersion spec.paramKind.kind
            paramKind: {apiVersion: a/b/c, kind: A_b}           | true                | spec.paramKind.apiVersion spec.paramKind.kind
            paramKind: {apiVersion: A/1, kind: A}               | true                | spec.paramKind.apiVersion spec.paramKind.apiVersion
            failurePolicy: Maybe                                | true                | spec.failurePolicy
            matchConditions: [{name: a, expression: "1"}]       | true                | spec.matchConditions[0].expression
            matchConditions: [{name: "", expression: ""}]       | true                | spec.matchConditions[0].expression spec.matchConditions[0].name
            matchConditions: [{name: a, expression: "true"}, {name: a, expression: "true"}] | true | spec.matchConditions[1].name
            matchConditions: [{name: a b, expression: "true"}]  | true                | spec.matchConditions[0].name
            auditAnnotations: [{key: a, valueExpression: "'b'"}] | true               | ``
            auditAnnotations: [{key: a, valueExpression: "null"}] | true              | ``
            auditAnnotations: [{key: a, valueExpression: "1"}]  | true                | spec.auditAnnotations[0].valueExpression
            auditAnnotations: [{key: a, valueExpression: ""}]   | true                | spec.auditAnnotations[0].valueExpression
            auditAnnotations: [{key: a/b, valueExpression: "''"}] | true              | spec.auditAnnotations[0].key
            auditAnnotations: [{key: a, valueExpression: "''"}, {key: a, valueExpression: "''"}] | true | spec.auditAnnotations[1].key
            """)
    void everyPartIsChecked(String part, String expression, String fields) {
        List<String> causes = causes(
                "validatingadmissionpolicies",
                "matchConstraints: {" + RULES + "}, " + part + ", validations: [{expression: \"" + expression + "\"}]");
        String found = String.join(
                " ",
                causes.stream()
                        .map(cause -> cause.substring(0, cause.indexOf(" ")))
                        .toList());
        assertThat(found).isEqualTo(fields.equals("``") ? "" : fields);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            matchConstraints: {}                                                   | spec.matchConstraints.resourceRules
            matchConstraints: {matchPolicy: Some, resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [x]}]} | spec.matchConstraints.matchPolicy
            matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [MAKE], resources: [x], resourceNames: [a, a, b/c]}]} | spec.matchConstraints.resourceRules[0].resourceNames[1] spec.matchConstraints.resourceRules[0].resourceNames[2] spec.matchConstraints.resourceRules[0].operations[0]
            matchConstraints: {objectSelector: {matchLabels: {"a b": c}}, resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [x]}]} | spec.matchConstraints.objectSelector.matchLabels
            """)
    void theConstraintsAreChecked(String constraints, String fields) {
        List<String> causes =
                causes("validatingadmissionpolicies", constraints + ", validations: [{expression: \"true\"}]");
        String found = String.join(
                " ",
                causes.stream()
                        .map(cause -> cause.substring(0, cause.indexOf(" ")))
                        .toList());
        assertThat(found).isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            policyName: p, validationActions: [Deny, Audit]                        | ``
            policyName: P, validationActions: [Deny]                               | spec.policyName
            validationActions: [Deny, Deny, Shout]                                 | spec.policyName spec.validationActions[1] spec.validationActions[2]
            policyName: p, validationActions: [Warn], paramRef: {}                 | spec.paramRef spec.paramRef.parameterNotFoundAction
            policyName: p, validationActions: [Warn], paramRef: {name: a, selector: {}, parameterNotFoundAction: Deny} | spec.paramRef.name spec.paramRef.selector
            policyName: p, validationActions: [Warn], paramRef: {name: a/b, parameterNotFoundAction: Ask} | spec.paramRef.name spec.paramRef.parameterNotFoundAction
            policyName: p, validationActions: [Warn], matchResources: {matchPolicy: Some} | spec.matchResouces.matchPolicy
            """)
    void bindingsAreChecked(String spec, String fields) {
        List<String> causes = causes("validatingadmissionpolicybindings", spec);
        String found = String.join(
                " ",
                causes.stream()
                        .map(cause -> cause.substring(0, cause.indexOf(" ")))
                        .toList());
        assertThat(found).isEqualTo(fields.equals("``") ? "" : fields);
    }

    /** What was accepted once may stay, though it is not looked at the status either. */
    @Test
    void aChangeOfTheStatusIsNotCheckedForExpressions() {
        String policies = GROUP + "validatingadmissionpolicies";
        cluster.send(
                "POST",
                policies,
                "metadata: {name: p}\nspec: {matchConstraints: {" + RULES
                        + "}, validations: [{expression: \"true\"}]}");
        assertThat(cluster.send("PATCH", policies + "/p/status", "{\"status\": {\"observedGeneration\": 1}}")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.send(
                                "PATCH",
                                policies + "/p",
                                "{\"spec\": {\"validations\": [{\"expression\": \"object.flag\"}]}}")
                        .status())
                .isEqualTo(422);
    }
}
