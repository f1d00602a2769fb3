package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.cel.PolicyExpressions;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets validating admission policies refuse operations, as their bindings say: {@code Dispatch} in
 * {@code pkg/admission/plugin/policy/validating/dispatcher.go} of the apiserver library, v1.33. Thread-safe.
 */
public final class AdmissionPolicies {
    private final ObjectStore objectStore;
    private final ServedResources servedResources;
    private final AccessControl accessControl;
    private final WebhookSelectors selectors;
    private final PolicyParameters parameters;

    /** Finds policies and bindings in a store. */
    public AdmissionPolicies(ObjectStore objectStore, ServedResources servedResources, AccessControl accessControl) {
        this.objectStore = objectStore;
        this.servedResources = servedResources;
        this.accessControl = accessControl;
        this.selectors = new WebhookSelectors(objectStore, accessControl);
        this.parameters = new PolicyParameters(objectStore, servedResources);
    }

    /** Refuses an operation that a policy denies, and adds warnings of those that only warn. */
    public void validate(AdmissionAttributes operation, @Nullable ObjectNode object) {
        if (operation.resource().isExemptFromPolicies()) {
            return;
        }
        List<PolicyDecision> denials = new ArrayList<>();
        objects(Buckets.VALIDATING_ADMISSION_POLICIES).forEach(policy -> evaluate(policy, operation, object, denials));
        if (!denials.isEmpty()) {
            throw denials.getFirst().refusal(operation.resource().subject(name(operation, object)));
        }
    }

    private Stream<ObjectNode> objects(String bucket) {
        return objectStore.list(objectStore.bucket(bucket), "").objects().stream()
                .map(stored -> stored.tree());
    }

    private static String name(AdmissionAttributes operation, @Nullable ObjectNode object) {
        String generated = object == null ? "" : Json.string(object, "metadata", "generateName");
        return Stream.of(operation.name(), generated)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("Unknown");
    }

    private void evaluate(
            ObjectNode policy,
            AdmissionAttributes operation,
            @Nullable ObjectNode object,
            List<PolicyDecision> denials) {
        Optional<Resource> matched = match(policy.path("spec").path("matchConstraints"), operation, object);
        List<ObjectNode> bindings = bindings(policy);
        if (matched.isEmpty() || bindings.isEmpty()) {
            return;
        }
        PolicyValidator validator = new PolicyValidator(policy);
        try {
            Optional<Resource> kind = parameters.resource(policy.path("spec").path("paramKind"));
            PolicySubject subject = PolicySubject.of(
                    operation,
                    new UserRights(accessControl, operation.userInfo()),
                    matched.get(),
                    object,
                    namespace(operation));
            bindings.stream()
                    .filter(binding -> matchesBinding(binding, operation, object))
                    .forEach(binding -> bound(validator, binding, kind, subject, denials));
        } catch (PolicyParameters.Unusable e) {
            denials.addAll(validator.failed("", "failed to configure policy: " + e.getMessage()));
        }
    }

    private List<ObjectNode> bindings(ObjectNode policy) {
        String name = Json.string(policy, "metadata", "name");
        return objects(Buckets.VALIDATING_ADMISSION_POLICY_BINDINGS)
                .filter(binding -> Json.string(binding, "spec", "policyName").equals(name))
                .toList();
    }

    private Optional<Resource> match(JsonNode rules, AdmissionAttributes operation, @Nullable ObjectNode object) {
        return new MatchResources(rules, servedResources, selectors).match(operation, object);
    }

    private boolean matchesBinding(ObjectNode binding, AdmissionAttributes operation, @Nullable ObjectNode object) {
        JsonNode rules = binding.path("spec").path("matchResources");
        return !rules.isObject() || match(rules, operation, object).isPresent();
    }

    private JsonNode namespace(AdmissionAttributes operation) {
        return operation.resource().isNamespace() ? Json.missing() : selectors.namespace(operation);
    }

    private void bound(
            PolicyValidator validator,
            ObjectNode binding,
            Optional<Resource> kind,
            PolicySubject subject,
            List<PolicyDecision> denials) {
        String name = Json.string(binding, "metadata", "name");
        try {
            List<JsonNode> found = kind.isEmpty()
                    ? List.of(Json.missing())
                    : parameters.of(
                            kind.get(),
                            binding.path("spec").path("paramRef"),
                            subject.operation().namespace());
            for (JsonNode params : found) {
                PolicyValidator.Outcome outcome = validator.validate(name, subject, params);
                act(binding, outcome.decisions(), subject, denials);
                denials.addAll(outcome.denials());
            }
        } catch (PolicyParameters.Unusable e) {
            denials.addAll(validator.failed(name, "failed to configure binding: " + e.getMessage()));
        }
    }

    private static void act(
            ObjectNode binding, List<PolicyDecision> decisions, PolicySubject subject, List<PolicyDecision> denials) {
        for (PolicyDecision decision : decisions) {
            for (JsonNode action : binding.path("spec").path("validationActions")) {
                switch (action.stringValue("")) {
                    case "Deny" -> denials.add(decision);
                    case "Warn" -> subject.operation().warnings().add(decision.warning());
                    default -> {} // there is no audit log
                }
            }
        }
    }

    /**
     * Which operations a policy or a binding is for: {@code Matches} in
     * {@code pkg/admission/plugin/policy/matching/matching.go} of the apiserver library, v1.33. Immutable.
     *
     * @param node {@code matchConstraints} or {@code matchResources}
     */
    private record MatchResources(JsonNode node, ServedResources servedResources, WebhookSelectors selectors) {
        /** The version of the resource that expressions see; none if the operation does not match. */
        Optional<Resource> match(AdmissionAttributes operation, @Nullable ObjectNode object) {
            if (!selectors.match(node, operation, object)
                    || matches("excludeResourceRules", operation).isPresent()) {
                return Optional.empty();
            }
            return node.path("resourceRules").isEmpty()
                    ? Optional.of(operation.resource())
                    : matches("resourceRules", operation);
        }

        private Optional<Resource> matches(String field, AdmissionAttributes operation) {
            List<WebhookRule> rules =
                    Json.items(node, field).map(WebhookRule::new).toList();
            boolean equivalent = Json.string(node, "matchPolicy").equals("Equivalent");
            return WebhookRule.firstMatch(rules, equivalent, operation, servedResources);
        }
    }

    /**
     * Finds the parameters of bindings: {@code CollectParams} in
     * {@code pkg/admission/plugin/policy/generic/policy_dispatcher.go} of the apiserver library, v1.33. Thread-safe.
     */
    private record PolicyParameters(ObjectStore objectStore, ServedResources servedResources) {
        /** A policy or a binding that cannot be used. */
        static final class Unusable extends Exception {
            private static final long serialVersionUID = 1L;

            Unusable(String message) {
                super(message);
            }
        }

        /** The resource of a policy's parameters; none if the policy has no parameters. */
        Optional<Resource> resource(JsonNode paramKind) throws Unusable {
            if (!paramKind.isObject()) {
                return Optional.empty();
            }
            String apiVersion = Json.string(paramKind, "apiVersion");
            String kind = Json.string(paramKind, "kind");
            Optional<Resource> found = servedResources.findKind(apiVersion, kind);
            if (found.isEmpty()) {
                throw new Unusable("failed to find resource referenced by paramKind: '"
                        + (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + kind + "'");
            }
            return found;
        }

        /**
         * The parameters to evaluate the policy with, once for each; a missing node stands for none.
         *
         * @param paramRef the reference of the binding
         * @param namespace that of the operation
         */
        List<JsonNode> of(Resource resource, JsonNode paramRef, String namespace) throws Unusable {
            if (!paramRef.isObject()) {
                return List.of(Json.missing());
            }
            String own = Json.string(paramRef, "namespace");
            if (!resource.namespaced() && !own.isEmpty()) {
                throw new Unusable("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
            }
            String place = own.isEmpty() ? namespace : own;
            if (resource.namespaced() && place.isEmpty()) {
                throw new Unusable(
                        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
            }
            List<JsonNode> found = find(resource, paramRef, resource.namespaced() ? place : "");
            if (found.isEmpty()
                    && Json.string(paramRef, "parameterNotFoundAction").equals("Deny")) {
                throw new Unusable("no params found for policy binding with `Deny` parameterNotFoundAction");
            }
            return found;
        }

        private List<JsonNode> find(Resource resource, JsonNode paramRef, String namespace) {
            ResourceBucket bucket = objectStore.bucket(resource.bucket());
            String name = Json.string(paramRef, "name");
            Stream<StoredObject> candidates = name.isEmpty()
                    ? objectStore.list(bucket, namespace).objects().stream()
                    : Stream.ofNullable(bucket.get(namespace, name));
            LabelSelector selector = LabelSelector.of(paramRef.path("selector"));
            return candidates
                    .<JsonNode>map(object -> StorageConversion.tree(resource, object))
                    .filter(object -> selector.matches(object.path("metadata").path("labels")))
                    .toList();
        }
    }

    /**
     * Evaluates one policy: {@code Validate} in {@code pkg/admission/plugin/policy/validating/validator.go} of the
     * apiserver library, v1.33. Immutable.
     */
    private record PolicyValidator(ObjectNode policy) {
        private static final int MAX_MESSAGE = 5 * 1024;

        /**
         * What comes of an evaluation.
         *
         * @param decisions against the operation, for the actions of the binding
         * @param denials since audit annotations cannot be evaluated, whatever the actions are
         */
        record Outcome(List<PolicyDecision> decisions, List<PolicyDecision> denials) {
            static Outcome of(List<PolicyDecision> decisions) {
                return new Outcome(decisions, List.of());
            }
        }

        /** Evaluates the policy; nothing comes of it if the operation is admitted, or the conditions do not hold. */
        Outcome validate(String binding, PolicySubject subject, JsonNode params) {
            JsonNode spec = policy.path("spec");
            PolicyExpressions expressions = subject.expressions(params, spec.path("variables"));
            try {
                if (!expressions.allHold(spec.path("matchConditions"))) {
                    return Outcome.of(List.of());
                }
            } catch (PolicyExpressions.Failed e) {
                return Outcome.of(failed(binding, String.valueOf(e.getMessage())));
            }
            List<PolicyDecision> decisions = new ArrayList<>();
            for (JsonNode validation : spec.path("validations")) {
                decisions.addAll(validate(binding, expressions, validation));
            }
            return new Outcome(decisions, annotate(binding, expressions));
        }

        /** The values of audit annotations go nowhere, as there is no audit log. */
        private List<PolicyDecision> annotate(String binding, PolicyExpressions expressions) {
            List<PolicyDecision> denials = new ArrayList<>();
            for (JsonNode annotation : policy.path("spec").path("auditAnnotations")) {
                try {
                    expressions.annotation(Json.string(annotation, "valueExpression"));
                } catch (PolicyExpressions.Failed e) {
                    denials.addAll(failed(binding, String.valueOf(e.getMessage())));
                }
            }
            return denials;
        }

        private List<PolicyDecision> validate(String binding, PolicyExpressions expressions, JsonNode validation) {
            try {
                return expressions.holds(Json.string(validation, "expression"))
                        ? List.of()
                        : List.of(
                                decision(binding, message(expressions, validation), Json.string(validation, "reason")));
            } catch (PolicyExpressions.Failed e) {
                return failed(binding, String.valueOf(e.getMessage()));
            }
        }

        /** The decision about a policy that cannot be evaluated; none if it ignores failures. */
        List<PolicyDecision> failed(String binding, String message) {
            return Json.string(policy, "spec", "failurePolicy").equals("Ignore")
                    ? List.of()
                    : List.of(decision(binding, message, ""));
        }

        private PolicyDecision decision(String binding, String message, String reason) {
            return new PolicyDecision(Json.string(policy, "metadata", "name"), binding, message, reason);
        }

        private static String message(PolicyExpressions expressions, JsonNode validation) {
            String own = Optional.of(Json.string(validation, "messageExpression"))
                    .filter(expression -> !expression.isEmpty())
                    .flatMap(expressions::text)
                    .map(String::strip)
                    .filter(text -> text.length() <= MAX_MESSAGE && !text.contains("\n"))
                    .orElse("");
            if (!own.isEmpty()) {
                return own;
            }
            String fixed = Json.string(validation, "message").strip();
            return fixed.isEmpty()
                    ? "failed expression: "
                            + Json.string(validation, "expression").strip()
                    : fixed;
        }
    }
}
