package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.access.Escalation;
import dev.kopf4j.devcluster.admission.Admission;
import dev.kopf4j.devcluster.admission.Operation;
import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Brings writes before those who may change or refuse them. Thread-safe. */
final class Reviewing {
    private final Admission admission;
    private final Kinds kinds;
    private final Escalation escalation;

    Reviewing(Admission admission, Kinds kinds, Escalation escalation) {
        this.escalation = escalation;
        this.admission = admission;
        this.kinds = kinds;
    }

    /** A new object as mutating hooks want it; defaults are filled in before they see it. */
    ObjectNode mutateNew(Call call, ObjectNode next) {
        String name = Json.string(next, "metadata", "name");
        Operation operation = operation(call, "CREATE", name, null, "CreateOptions");
        if (!admission.mutates(operation)) {
            return next;
        }
        kinds.rules(call.resource())
                .prepare(new Draft(call.resource(), next, null, call.subresource(), new ArrayList<>()));
        return cleaned(call, next, admission.mutate(operation, next));
    }

    /** A changed object as mutating hooks want it. */
    ObjectNode mutate(Call call, ObjectNode before, ObjectNode next) {
        if (call.subresource().equals("scale")) {
            return mutateScale(call, before, next);
        }
        Operation operation = operation(call, "UPDATE", call.name(), before, "UpdateOptions");
        return cleaned(call, next, admission.mutate(operation, next));
    }

    /** Hooks on scales see the number of replicas only. */
    private ObjectNode mutateScale(Call call, ObjectNode before, ObjectNode next) {
        ScaleView view = new ScaleView(call.resource());
        Operation operation = operation(call, "UPDATE", call.name(), view.of(before), "UpdateOptions");
        ObjectNode mutated = admission.mutate(operation, view.of(next));
        if (mutated != null) {
            view.set(next, mutated.path("spec").path("replicas").longValue(0));
        }
        return next;
    }

    private static ObjectNode cleaned(Call call, ObjectNode given, @Nullable ObjectNode mutated) {
        if (mutated == null || Equality.same(given, mutated)) {
            return given;
        }
        Decoder.clean(call.resource(), mutated);
        return mutated;
    }

    /** Lets validating hooks refuse a new object. */
    void validateNew(Call call, ObjectNode next) {
        escalation.check(call.user(), call.resource().group(), call.resource().plural(), next);
        String name = Json.string(next, "metadata", "name");
        admission.validate(operation(call, "CREATE", name, null, "CreateOptions"), next);
    }

    /** Lets hooks see, and refuse, an act on an object; what they change of it is as if it had been sent. */
    ObjectNode reviewAct(Call call, ObjectNode act) {
        Operation operation = operation(call, "CREATE", call.name(), null, "CreateOptions");
        ObjectNode mutated = admission.mutate(operation, act);
        admission.validate(operation, mutated);
        return mutated == null ? act : mutated;
    }

    /** Lets validating hooks refuse a change. */
    void validate(Call call, ObjectNode before, ObjectNode next) {
        if (call.subresource().equals("scale")) {
            ScaleView view = new ScaleView(call.resource());
            admission.validate(operation(call, "UPDATE", call.name(), view.of(before), "UpdateOptions"), view.of(next));
            return;
        }
        escalation.check(call.user(), call.resource().group(), call.resource().plural(), next);
        admission.validate(operation(call, "UPDATE", call.name(), before, "UpdateOptions"), next);
    }

    /** Lets hooks refuse a deletion; a deletion of many names no object. */
    void reviewDeletion(Call call, ObjectNode before, boolean ofMany) {
        ObjectNode options = DeleteOptions.shown(call.request());
        Operation operation = new Operation(
                "DELETE",
                call.resource(),
                call.subresource(),
                call.namespace(),
                ofMany ? "" : call.name(),
                before,
                options,
                options.has("dryRun"),
                call.user(),
                call.warnings());
        admission.mutate(operation, null);
        admission.validate(operation, null);
    }

    private static Operation operation(
            Call call, String verb, String name, @Nullable ObjectNode before, String optionsKind) {
        ObjectNode options = Json.object().put("kind", optionsKind).put("apiVersion", "meta.k8s.io/v1");
        if (call.dryRun()) {
            options.set("dryRun", Json.array(List.of("All")));
        }
        for (Map.Entry<String, List<String>> parameter : call.request().query().entrySet()) {
            if (parameter.getKey().equals("fieldManager") || parameter.getKey().equals("fieldValidation")) {
                options.put(parameter.getKey(), parameter.getValue().getFirst());
            }
        }
        return new Operation(
                verb,
                call.resource(),
                call.subresource(),
                call.namespace(),
                name,
                before,
                options,
                call.dryRun(),
                call.user(),
                call.warnings());
    }
}
