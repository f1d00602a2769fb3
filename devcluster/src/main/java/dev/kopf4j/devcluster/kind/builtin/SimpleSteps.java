package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Kinds with few rules of their own. */
final class SimpleSteps {
    private SimpleSteps() {}

    private record Step(Consumer<Draft> preparing, BiConsumer<Draft, Checks> checking) implements KindRules {
        @Override
        public void prepare(Draft draft) {
            preparing.accept(draft);
        }

        @Override
        public List<Cause> check(Draft draft) {
            Checks checks = new Checks();
            checking.accept(draft, checks);
            return checks.causes();
        }
    }

    private static JsonNode spec(Draft draft) {
        return draft.next().path("spec");
    }

    /** Kinds whose new objects wait for a controller: their status begins with a phase. */
    static KindRules phase(String first, BiConsumer<Draft, Checks> checking) {
        return new Step(
                draft -> {
                    if (draft.isNew()) {
                        draft.next().putObject("status").put("phase", first);
                    }
                },
                checking);
    }

    static KindRules claim() {
        return phase("Pending", (draft, checks) -> {
            JsonNode spec = spec(draft);
            if (spec.path("accessModes").isEmpty()) {
                checks.add(Cause.required("spec.accessModes", "at least 1 access mode is required"));
            }
            if (Json.string(spec, "resources", "requests", "storage").isEmpty()) {
                checks.add(Cause.required("spec.resources[storage]", ""));
            }
        });
    }

    static KindRules volume() {
        return phase("Pending", (draft, checks) -> {
            JsonNode spec = spec(draft);
            if (spec.path("accessModes").isEmpty()) {
                checks.add(Cause.required("spec.accessModes", ""));
            }
            if (spec.path("capacity").isEmpty()) {
                checks.add(Cause.required("spec.capacity", ""));
            }
        });
    }

    static KindRules lease() {
        return new Step(draft -> {}, (draft, checks) -> {
            checks.atLeast(spec(draft), "leaseDurationSeconds", "spec", 1);
            checks.atLeast(spec(draft), "leaseTransitions", "spec", 0);
        });
    }

    static KindRules event() {
        return new Step(draft -> {}, (draft, checks) -> {
            JsonNode event = draft.next();
            String field = event.has("regarding") ? "regarding" : "involvedObject";
            String namespace = Json.string(event, "metadata", "namespace");
            String about = Json.string(event, field, "namespace");
            if (!about.equals(namespace) && !(about.isEmpty() && namespace.equals("default"))) {
                checks.add(Cause.invalidString(field + ".namespace", about, "does not match event.namespace"));
            }
        });
    }

    static KindRules job() {
        return new Step(draft -> Jobs.prepare(draft), (draft, checks) -> Jobs.check(spec(draft), "spec", checks));
    }

    static KindRules cronJob() {
        return new Step(
                draft -> {
                    ObjectNode job = Json.child(Json.child(Json.child(draft.next(), "spec"), "jobTemplate"), "spec");
                    PodSpecs.prepare(Json.child(Json.child(job, "template"), "spec"));
                    job.remove(List.of("completionMode", "suspend", "podReplacementPolicy", "backoffLimit"));
                },
                (draft, checks) -> {
                    checks.required(spec(draft), "schedule", "spec");
                    Jobs.check(spec(draft).path("jobTemplate").path("spec"), "spec.jobTemplate.spec", checks);
                });
    }

    static KindRules networkPolicy() {
        return new Step(
                draft -> {
                    ObjectNode spec = Json.child(draft.next(), "spec");
                    if (spec.path("policyTypes").isEmpty()) {
                        ArrayNode types = spec.putArray("policyTypes").add("Ingress");
                        if (!spec.path("egress").isEmpty()) {
                            types.add("Egress");
                        }
                    }
                },
                (draft, checks) -> {});
    }

    static KindRules binding() {
        return new Step(
                draft -> {
                    for (JsonNode subject : draft.next().path("subjects")) {
                        boolean account = Json.string(subject, "kind").equals("ServiceAccount");
                        if (!account && Json.string(subject, "apiGroup").isEmpty()) {
                            ((ObjectNode) subject).put("apiGroup", "rbac.authorization.k8s.io");
                        }
                    }
                },
                (draft, checks) -> {
                    checks.required(draft.next().path("roleRef"), "name", "roleRef");
                    ObjectNode before = draft.before();
                    if (before != null
                            && !before.path("roleRef").equals(draft.next().path("roleRef"))) {
                        checks.add(Cause.invalid(
                                "roleRef", Json.text(draft.next().path("roleRef")), "cannot change roleRef"));
                    }
                });
    }

    static KindRules role() {
        return new Step(draft -> {}, (draft, checks) -> {
            int index = 0;
            for (JsonNode rule : draft.next().path("rules")) {
                checks.required(rule, "verbs", "rules[" + index++ + "]");
            }
        });
    }

    static KindRules autoscaler() {
        return new Step(draft -> {}, (draft, checks) -> {
            checks.atLeast(spec(draft), "maxReplicas", "spec", 1);
            checks.required(spec(draft).path("scaleTargetRef"), "kind", "spec.scaleTargetRef");
            checks.required(spec(draft).path("scaleTargetRef"), "name", "spec.scaleTargetRef");
        });
    }

    static KindRules storageClass() {
        return new Step(draft -> {}, (draft, checks) -> {
            if (Json.string(draft.next(), "provisioner").isEmpty()) {
                checks.add(Cause.required("provisioner", ""));
            }
        });
    }

    static KindRules ingress() {
        return new Step(draft -> {}, (draft, checks) -> {
            JsonNode spec = spec(draft);
            if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
                checks.add(Cause.invalid("spec", "{}", "either `defaultBackend` or `rules` must be specified"));
            }
        });
    }
}
