package dev.kopf4j.cli.maintenance;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.maintenance.ObjectExamination.Symptom;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * The webhook configurations that an operator writes. When nobody answers, the API server refuses all that they are
 * for: also the requests that take the operator's finalizer off.
 *
 * @param api the way to the cluster
 * @param name the name of both; empty if the operator writes none
 */
record WrittenWebhooks(KubernetesApi api, String name) {
    private static final List<Resource> BOTH = List.of(
            WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS, WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS);

    static WrittenWebhooks of(KubernetesApi api, OperatorSettings settings) {
        String name = settings.admission().managed();
        return new WrittenWebhooks(api, name == null ? "" : name);
    }

    /** The rights that are missing to delete them, in words. */
    List<String> missingRights() throws InterruptedException {
        return missing("get", "delete");
    }

    private List<String> missing(String... verbs) throws InterruptedException {
        return name.isEmpty()
                ? List.of()
                : new RightsReview(api)
                        .missing(BOTH.stream()
                                .map(each -> new RequiredRule(
                                        RightScope.CLUSTER,
                                        each.group(),
                                        each.plural(),
                                        List.of(verbs),
                                        List.of(name), // the operator's own role is for these two alone
                                        ""))
                                .toList());
    }

    /** Those of handlers that the operator does not have: nobody answers for them. None if they may not be read. */
    List<Symptom> withoutHandlers(List<RegisteredHandler> handlers) throws InterruptedException {
        List<Symptom> symptoms = new ArrayList<>();
        for (Resource resource : name.isEmpty() || !missing("get").isEmpty() ? List.<Resource>of() : BOTH) {
            HandlerKind kind = resource.equals(BOTH.getFirst()) ? HandlerKind.VALIDATE : HandlerKind.MUTATE;
            Set<String> known = handlers.stream()
                    .filter(handler -> handler.kind() == kind)
                    .map(handler -> WebhookName.of(handler.id(), name))
                    .collect(Collectors.toSet());
            String unknown = read(resource).stream()
                    .flatMap(configuration -> configuration.path("webhooks").valueStream())
                    .map(webhook -> webhook.path("name").asString(""))
                    .filter(webhook -> webhook.endsWith("." + name) && !known.contains(webhook))
                    .collect(Collectors.joining(", "));
            if (!unknown.isEmpty()) {
                symptoms.add(new Symptom(
                        words(resource) + " has webhooks of handlers that this operator does not have, and requests"
                                + " are refused if nobody answers for them: " + unknown,
                        "start the operator, which writes its own in their place, or takes them away; if it is gone,"
                                + " run `kubectl delete " + resource.plural() + " " + name + "`; if they are of another"
                                + " operator, give one of them another admission.managed"));
            }
        }
        return symptoms;
    }

    /**
     * Deletes those that exist.
     *
     * @param rehearsal true to change nothing
     * @param told hears of each
     */
    void delete(boolean rehearsal, Consumer<String> told) throws InterruptedException {
        for (Resource resource : name.isEmpty() ? List.<Resource>of() : BOTH) {
            Optional<ObjectNode> found = read(resource);
            if (found.isPresent() && isOwn(found.get())) {
                if (!rehearsal) {
                    delete(resource, found.get());
                }
                told.accept(words(resource) + (rehearsal ? " would be deleted" : " deleted"));
            } else if (found.isPresent()) {
                told.accept(words(resource) + " stays: it has webhooks of others");
            }
        }
    }

    private String words(Resource resource) {
        return resource.plural() + "." + resource.group() + " " + name;
    }

    private Optional<ObjectNode> read(Resource resource) throws InterruptedException {
        try {
            return Optional.of(api.get(resource, null, name));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    /** The operator names its webhooks so, and those of one that has ended in order are gone. */
    private boolean isOwn(ObjectNode configuration) {
        return StreamSupport.stream(configuration.path("webhooks").spliterator(), false)
                .allMatch(each -> each.path("name").asString("").endsWith("." + name));
    }

    private void delete(Resource resource, ObjectNode configuration) throws InterruptedException {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions")
                .put("uid", configuration.path("metadata").path("uid").asString(""));
        try {
            api.delete(resource, null, name, options);
        } catch (NotFoundException e) {
            // Somebody else was quicker.
        }
    }
}
