package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.storage.ObjectStore;
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
}
